from django.apps import AppConfig


class BusinessPoliciesConfig(AppConfig):
    name = "service.business_policies"
    label = "business_policies"

    def ready(self) -> None:
        """Says what follows from a vote on an expense that a policy made wait; is asked before an expense is
        posted; says which policies are on a category."""
        from service.approvals.hooks import on_decided
        from service.business_policies import approvals, receivers
        from service.business_policies.approvals import KIND
        from service.business_policies.expense_rules import GUARD
        from service.categories.hooks import register_users
        from service.expenses.hooks import register_guard
        from service.teams.hooks import register_team_obstacle
        from service.vendors.hooks import register_follower

        on_decided(KIND, approvals.voted)
        register_guard(GUARD)
        register_follower(receivers.FOLLOWER)
        register_users(receivers.FILED)
        register_team_obstacle(receivers.exemptions_of)
