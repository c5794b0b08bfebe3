"""The Django app of service/subscriptions."""

from django.apps import AppConfig


class SubscriptionsConfig(AppConfig):
    name = "service.subscriptions"
    label = "subscriptions"

    def ready(self) -> None:
        """Hears of new expenses: some are charges; of cards that end: some have subscriptions; of vendors that are merged; and says
        which are of a subcategory."""
        from service.cards import hooks as cards
        from service.categories.hooks import register_users
        from service.expenses import hooks as expenses
        from service.subscriptions import receivers
        from service.subscriptions.charges import notice, question
        from service.subscriptions.receivers import card_ended
        from service.vendors.hooks import register_follower

        expenses.on_created(expenses.CreationListener(question, notice))
        cards.on_ended(card_ended)
        register_follower(receivers.FOLLOWER)
        register_users(receivers.FILED)
