from django.apps import AppConfig


class DecisionsConfig(AppConfig):
    name = "dashboard.decisions"
    label = "decisions"

    def ready(self) -> None:
        """Registers what waits for somebody with the daily mail and with the push notifications, the delegable kinds of
        requests with delegation, and what is decided on several items with the bulk actions."""
        from dashboard.bulk.actions import ActionSource, register_action_source
        from dashboard.decisions import bulk
        from dashboard.decisions.digest import newest_waiting, waiting_decisions
        from dashboard.decisions.registry import APPROVAL_KINDS
        from dashboard.delegation.kinds import register_kind
        from dashboard.notifications.digest import register_waiting
        from dashboard.notifications.waiting import register_inbox

        for kind, declared in APPROVAL_KINDS.items():
            if declared.is_delegable:
                register_kind(kind, declared.plural.lower(), declared.approve)
        register_waiting(waiting_decisions)
        # Their decisions are kept for good, and stand on these rows.
        register_action_source(bulk.SOURCE, ActionSource(bulk.bulk_decision, results_last=None))
        register_inbox(newest_waiting)
