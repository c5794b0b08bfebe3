"""Withdrawing a form that did not arrive: from then on it is refused, so that its person knows for certain."""

from collections.abc import Iterable

from django.utils import timezone

from dashboard.pages.submissions.selectors import NOWHERE, Known, Status, Submitter, status_of
from dashboard.web.models import Submission


def withdraw(submitter: Submitter, key: str, attempt: str, path: str = "", others: Iterable[str] = ()) -> Status:
    """Puts a withdrawal in the place of the arrival, unless the form has come: then says what became of it.

    `others` are further sendings of the same form that its page still waits for: they are withdrawn with it, so that none
    of them is carried out after its person heard that nothing was changed.
    """
    status = status_of(submitter, key, attempt, path)
    if status.known is not Known.ABSENT:
        return status
    now = timezone.now()
    withdrawals = [
        Submission(
            user_id=submitter.user_id, business=submitter.business, key=key, attempt=sending, path=path[:500] or NOWHERE,
            state=Submission.State.WITHDRAWN, received_at=now, answered_at=now,
        )
        for sending in sorted({attempt, *others})
    ]  # fmt: skip
    # Any of them may have arrived this very moment: that one stays as it is, and so it is asked again.
    Submission.objects.bulk_create(withdrawals, ignore_conflicts=True)
    return status_of(submitter, key, attempt, path)
