"""The Django app of service/webhooks."""

from django.apps import AppConfig


class WebhooksConfig(AppConfig):
    name = "service.webhooks"
    label = "webhooks"

    def ready(self) -> None:
        """Follows the relay of events: their deliveries are written with their numbers, and sent at once."""
        from service.events import relay
        from service.webhooks.fan_out import fan_out
        from service.webhooks.tasks import deliver_webhooks

        relay.follow(fan_out, deliver_webhooks.delay)
