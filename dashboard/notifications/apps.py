from django.apps import AppConfig


class NotificationsConfig(AppConfig):
    name = "dashboard.notifications"
    label = "notifications"

    def ready(self) -> None:
        """Hears of every event that the copy applies, for those whose item was decided on, those who are answered,
        those who answer for a budget, and those whose payment failed; and of every sign-in and sign-out, with which push notifications of a device
        end. The daily mail has the bills that are due, and the payouts that wait."""
        from allauth.account.signals import user_logged_in
        from django.contrib.auth.signals import user_logged_out

        from dashboard.access.sessions import session_ends, sessions_ended
        from dashboard.mirror.events import on_event
        from dashboard.notifications.bills import bills_due
        from dashboard.notifications.budgets import notify_of_budget
        from dashboard.notifications.decided import notify_of_answer, notify_of_decision
        from dashboard.notifications.devices import (
            end_with_session,
            end_with_sessions,
            end_with_sign_out,
            follow_sign_in,
        )
        from dashboard.notifications.digest import register_section
        from dashboard.notifications.payments import notify_of_failure, payouts_waiting

        on_event(notify_of_decision)
        on_event(notify_of_answer)
        on_event(notify_of_budget)
        on_event(notify_of_failure)
        register_section("bills", bills_due)
        register_section("payouts", payouts_waiting)
        user_logged_in.connect(follow_sign_in, dispatch_uid="a device belongs to the session of its browser")
        user_logged_out.connect(end_with_sign_out, dispatch_uid="a sign-out ends the device")
        sessions_ended.connect(end_with_sessions, dispatch_uid="ended sessions end their devices")
        session_ends.connect(end_with_session, dispatch_uid="a session that ends ends its devices")
