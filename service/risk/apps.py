"""The Django app of service/risk."""

from django.apps import AppConfig


class RiskConfig(AppConfig):
    name = "service.risk"
    label = "risk"

    def ready(self) -> None:
        """Scores the requests that votes are asked for."""
        from service.approvals import risk_scores
        from service.risk.services import assess

        risk_scores.register_assessment(assess)
