"""The Django app of service/webhooks."""

from django.apps import AppConfig


class WebhooksConfig(AppConfig):
    name = "service.webhooks"
    label = "webhooks"

    def ready(self) -> None:
        """Follows the relay of events: their deliveries are written with their numbers, and sent at once."""
        from service.events import relay
        from service.webhooks.spreading import spread
        from service.webhooks.tasks import deliver_webhooks

        relay.follow(spread, deliver_webhooks.delay)
