from django.apps import AppConfig


class ApprovalsConfig(AppConfig):
    name = "service.approvals"
    label = "approvals"

    def ready(self) -> None:
        """Says which workflows name a vendor that is to be merged away, and which a subcategory."""
        from service.approvals import receivers
        from service.approvals.receivers import FOLLOWER
        from service.categories.hooks import register_users
        from service.vendors.hooks import register_follower

        register_follower(FOLLOWER)
        register_users(receivers.FILED)
