from django.apps import AppConfig


class PaymentsConfig(AppConfig):
    name = "service.payments"
    label = "payments"

    def ready(self) -> None:
        """Says what follows from a vote on a payout, which payouts keep a wallet open, what counts towards policies,
        and who was paid by one."""
        from service.accounts import attached
        from service.approvals import subjects
        from service.business_policies import counting
        from service.payments import policies, queries
        from service.payments.drafting import keeping_open
        from service.payments.models import Kind
        from service.payments.services import voted
        from service.vendors import recent

        for kind in Kind:
            subjects.register(kind, voted)
        attached.register(keeping_open)
        counting.register(policies.spent)
        recent.register(queries.PAYEES)
