from django.apps import AppConfig


class PaymentsConfig(AppConfig):
    name = "service.payments"
    label = "payments"

    def ready(self) -> None:
        """Says what follows from a vote on a payout, which payouts keep a wallet open, what counts towards policies,
        who was paid by one, and which payments are under a subcategory."""
        from service.accounts import hooks
        from service.approvals.hooks import on_decided
        from service.business_policies import usage
        from service.categories.hooks import register_users
        from service.payments import policies, receivers, selectors, services
        from service.payments.models import Kind
        from service.payments.receivers import payouts_on_wallet
        from service.vendors import activity, recent_payees
        from service.vendors.hooks import register_follower

        for kind in Kind:
            on_decided(kind, services.voted)
        hooks.register_dependents(payouts_on_wallet)
        usage.register(policies.spent)
        recent_payees.register(selectors.PAYEES)
        activity.register_payments(selectors.PAID_TO_VENDOR)
        register_follower(receivers.FOLLOWER)
        register_users(receivers.FILED)
