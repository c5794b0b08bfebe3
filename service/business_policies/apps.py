from django.apps import AppConfig


class BusinessPoliciesConfig(AppConfig):
    name = "service.business_policies"
    label = "business_policies"

    def ready(self) -> None:
        """Says what follows from a vote on an expense that a policy made wait."""
        from service.approvals import subjects
        from service.business_policies.waiting import KIND, voted

        subjects.register(KIND, voted)
