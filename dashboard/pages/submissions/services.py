"""Withdrawing a form that did not arrive: from then on it is refused, so that its person knows for certain."""

from django.db import IntegrityError, transaction
from django.utils import timezone

from dashboard.pages.submissions.selectors import Asker, Fate, Known, fate_of, withdrawn
from dashboard.web.models import Submission


def withdraw(asker: Asker, key: str, attempt: str) -> Fate:
    """Puts a withdrawal in the place of the arrival, unless the form has come: then says what became of it."""
    fate = fate_of(asker, key, attempt)
    if fate.known is not Known.ABSENT:
        return fate
    now = timezone.now()
    withdrawal = Submission(
        user_id=asker.user_id, business=asker.business, key=key, attempt=attempt, path="/",
        state=Submission.State.WITHDRAWN, received_at=now, answered_at=now,
    )  # fmt: skip
    try:
        with transaction.atomic():
            withdrawal.save(force_insert=True)
    except IntegrityError:
        # It arrived this very moment.
        return fate_of(asker, key, attempt)
    return withdrawn()
