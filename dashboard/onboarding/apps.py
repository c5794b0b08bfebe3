"""The Django app of onboarding: its table stores who is to be added."""

from django.apps import AppConfig


class OnboardingConfig(AppConfig):
    name = "dashboard.onboarding"
    label = "onboarding"

    def ready(self) -> None:
        """Registers with the gate what somebody new is: the role that they get is what it judges."""
        from dashboard.access.subject import subject_of
        from dashboard.onboarding.models import Newcomer
        from dashboard.onboarding.selectors import newcomer_subject

        subject_of.register(Newcomer, newcomer_subject)
