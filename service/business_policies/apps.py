from django.apps import AppConfig


class BusinessPoliciesConfig(AppConfig):
    name = "service.business_policies"
    label = "business_policies"

    def ready(self) -> None:
        """Says what follows from a vote on an expense that a policy made wait, and which requests break a policy; is asked
        before an expense is posted; counts expenses towards limits over time."""
        from service.approvals import risk, subjects
        from service.business_policies.risk_signal import policy_exceptions
        from service.business_policies.spending import guard
        from service.business_policies.waiting import KIND, voted
        from service.expenses import guarded

        subjects.register(KIND, voted)
        risk.register("policy_exception", policy_exceptions)
        guarded.register(guard)
