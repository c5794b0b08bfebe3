"""Withdrawing a form that did not arrive: from then on it is refused, so that its person knows for certain."""

from contextlib import suppress

from django.db import IntegrityError, transaction
from django.utils import timezone

from dashboard.pages.submissions.selectors import NOWHERE, Known, Status, Submitter, status_of
from dashboard.web.models import Submission


def withdraw(submitter: Submitter, key: str, attempt: str, path: str = "") -> Status:
    """Puts a withdrawal in the place of the arrival, unless the form has come: then says what became of it."""
    status = status_of(submitter, key, attempt, path)
    if status.known is not Known.ABSENT:
        return status
    now = timezone.now()
    withdrawal = Submission(
        user_id=submitter.user_id, business=submitter.business, key=key, attempt=attempt, path=path[:500] or NOWHERE,
        state=Submission.State.WITHDRAWN, received_at=now, answered_at=now,
    )  # fmt: skip
    # It, or another sending of it, may have arrived this very moment: so it is asked again.
    with suppress(IntegrityError), transaction.atomic():
        withdrawal.save(force_insert=True)
    return status_of(submitter, key, attempt, path)
