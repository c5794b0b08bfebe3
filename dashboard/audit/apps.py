from django.apps import AppConfig


class AuditConfig(AppConfig):
    name = "dashboard.audit"
    label = "audit"

    def ready(self) -> None:
        """Says at the doors of pages how a denial is written."""
        from dashboard.access.decorators import record_denials_by
        from dashboard.audit.naming import named_in
        from dashboard.audit.record import record_denial

        record_denials_by(
            lambda actor, operation, *, reason, rule="", body=None: record_denial(
                actor, operation, reason=reason, rule=rule, name=named_in(body)
            )
        )
