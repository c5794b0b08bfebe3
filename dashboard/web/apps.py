from django.apps import AppConfig


class WebConfig(AppConfig):
    name = "dashboard.web"
    label = "web"

    def ready(self) -> None:
        from allauth.mfa import signals

        from dashboard.web.signin.factors import factor_changed

        for signal in (signals.authenticator_added, signals.authenticator_removed, signals.authenticator_reset):
            signal.connect(factor_changed, dispatch_uid="end sessions when a factor changes")
