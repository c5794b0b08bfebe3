from django.apps import AppConfig


class WebConfig(AppConfig):
    name = "dashboard.web"
    label = "web"

    def ready(self) -> None:
        """Listens to allauth: who signs in, proves again who they are, or changes a factor."""
        from allauth.account.signals import authentication_step_completed, user_logged_in
        from allauth.mfa import signals

        from dashboard.web.signin.factors import factor_changed
        from dashboard.web.signin.providers import note_sign_in
        from dashboard.web.signin.sessions import renew_after_reauthentication

        for signal in (signals.authenticator_added, signals.authenticator_removed, signals.authenticator_reset):
            signal.connect(factor_changed, dispatch_uid="end sessions when a factor changes")
        authentication_step_completed.connect(
            renew_after_reauthentication, dispatch_uid="a new session id at each step-up"
        )
        user_logged_in.connect(note_sign_in, dispatch_uid="which business a sign-in opens")
