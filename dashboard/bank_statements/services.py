"""Letting go of files that nobody imported."""

from datetime import timedelta

from django.utils import timezone

from dashboard.bank_statements.models import StatementDraft

LIFETIME = timedelta(days=1)


def forget_old() -> int:
    """Deletes files that were brought a day ago and not imported; how many."""
    return StatementDraft.objects.filter(created_at__lt=timezone.now() - LIFETIME).delete()[0]
