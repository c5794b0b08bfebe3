"""Everything that can go wrong between a person's click and the service, as one tree of errors with their sentences.

Each error says what happened, whether anything was changed, and what to do; `status` is what our own page answers
with. Which bodies become which error: dashboard/client/refusals.py.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from dashboard.form_key import has_confirmed_write


@dataclass(frozen=True)
class FieldProblem:
    """What is wrong with one field of a form."""

    field: str
    code: str
    message: str


class FinanceError(Exception):
    """The root: nothing of ours fails towards the person in any other way."""

    status = 500
    happened = "Something went wrong."
    # Whether it was done upstream: None where nobody can tell yet.
    changed: bool | None = False
    advice = "Try again; if it stays, show the request id to your administrator."
    retryable = False

    def __init__(
        self,
        detail: str = "",
        *,
        code: str = "",
        request_id: str = "",
        upstream_status: int | None = None,
        fields: Sequence[FieldProblem] = (),
        retry_after: float | None = None,
    ) -> None:
        super().__init__(detail or self.happened)
        self.detail = detail or self.happened
        self.code = code
        self.request_id = request_id
        self.upstream_status = upstream_status
        self.fields = tuple(fields)
        self.retry_after = retry_after
        # The idempotency key of the write that it ended: after a kept refusal another one than that of the form.
        self.sent_key = ""
        # Whether anything of the call left us, answered or not: where it did, nobody may say that nothing was sent.
        self.has_left = False
        # Nobody expects a change of a read: what became of a form does not follow from a read that failed beside it.
        self.is_read_error = False

    @property
    def explanation(self) -> str:
        """The detail, followed by the message of each field, as one text."""
        return " ".join(filter(None, (self.detail, "; ".join(problem.message for problem in self.fields))))

    @property
    def consequence(self) -> str:
        """Whether anything was changed, as a sentence; "" for a read, which changes nothing."""
        if self.changed is None:
            return "It is not known yet whether it was done."
        if self.changed:
            return "It was done."
        if self.is_read_error:
            return ""
        return "The step before it was done; this one was not." if has_confirmed_write() else "Nothing was changed."

    @property
    def user_message(self) -> str:
        """What happened, whether anything was changed, and what to do next: three sentences."""
        detail = self.detail if self.detail.endswith((".", "!", "?")) else f"{self.detail}."
        return " ".join(part for part in (detail, self.consequence, self.advice) if part)

    @property
    def on_form(self) -> str:
        """The `user_message` as it stands above a form that can be sent again, with the request id."""
        return f"{self.user_message}{f' (request {self.request_id})' if self.request_id else ''}"


class NotAllowed(FinanceError):
    """It may be seen but not done by this person: the sentence says why."""

    status = 403
    happened = "You don't have permission to do this."
    advice = ""


class Forbidden(NotAllowed):
    """The service refused the business's account or the person it acts for."""

    happened = "The finance service does not allow this."
    advice = "Ask your administrator."


class EntitlementMissing(Forbidden):
    """A private-label operation, and the account has no such entitlement."""

    happened = "The business's account is not entitled to this part of the finance service."


class ScopeMissing(Forbidden):
    """The account's token lacks the scope."""

    happened = "The business's account lacks the permission for this."


class PolicyBlocked(Forbidden):
    """A spending policy of the business forbids it."""

    happened = "A policy of the business blocks this."


class NotFound(FinanceError):
    """There is no such row, or none that this person may see."""

    status = 404
    happened = "There is nothing here, or you don't have access to it."
    advice = ""


class Conflict(FinanceError):
    """The subject is no longer as it was."""

    status = 409
    happened = "It has changed in the meantime."
    advice = "Review it again before you decide."


class InvalidState(Conflict):
    """The subject is in a state that does not allow this: somebody was faster."""

    happened = "It is no longer waiting for this."


class Stale(Conflict):
    """What the person saw is not what is there now."""

    happened = "It changed since you opened it."


class KeyReused(Conflict):
    """The form was sent before with something else in it: what it says now was not sent."""

    happened = "This form was already used for something else."
    advice = "Reload the page."

    @property
    def consequence(self) -> str:
        """Of what was sent before it says nothing."""
        return "What it says now was not sent."


class AlreadyDone(FinanceError):
    """The same form was done before; this time its answer did not come, or was another one.

    No Conflict: whoever tells what a conflict has stopped would tell of what was done that it was not. Of a call for
    several rows it says nothing of any one row. `refusal` is what stood in the way this time.
    """

    status = 409
    happened = "This was sent before."
    changed = True
    advice = "Reload the page to see its status."

    def __init__(self, detail: str = "", *, refusal: FinanceError | None = None, **kwargs: Any) -> None:
        super().__init__(detail, **kwargs)
        self.refusal = refusal


class Rejected(FinanceError):
    """The service understood and refused: bad input, or a rule of money."""

    status = 422
    happened = "The finance service refused this."
    advice = "Correct it and try again."


class KeyReusedUpstream(Rejected):
    """The service knows the form's key with something else in it: what it says now was not done."""

    happened = "This form was already used for something else."
    advice = "Reload the page."

    @property
    def consequence(self) -> str:
        """Of what was sent before it says nothing."""
        return "What it says now was not done."


class InsufficientFunds(Rejected):
    """Refused: there is not enough in the wallet for it."""

    happened = "There is not enough money in the wallet."
    advice = "Top up the wallet or choose another, then try again."


class LimitExceeded(Rejected):
    """Refused: it would go over a limit that holds for it."""

    happened = "This is over a limit."


class TooMany(FinanceError):
    """Too many calls; `retry_after` seconds to wait. It was not done."""

    status = 429
    happened = "The finance service asks us to slow down."
    advice = "Try again in a moment."
    retryable = True


class Unavailable(FinanceError):
    """The service was not reached, or said that it cannot now; it was certainly not done."""

    status = 503
    happened = "The finance service cannot be reached right now."
    advice = "Try again in a moment."
    retryable = True


class StoreAway(Unavailable):
    """The store of our own files does not answer."""

    happened = "The store of files cannot be reached right now."


class TimedOut(Unavailable):
    """No answer in time to something that only reads."""

    happened = "The finance service did not answer in time."


class CircuitOpen(Unavailable):
    """It failed so often just now that we are not asking for a few seconds."""

    happened = "The finance service has been failing; we are giving it a few seconds."


class AuthFailed(Unavailable):
    """The service does not accept the business's account."""

    happened = "The finance service does not accept the business's account."
    advice = "A super admin can check the connection in Settings."
    retryable = False


class NotConnected(Unavailable):
    """The business has no service account yet, or its address is not allowed."""

    happened = "This business is not connected to a finance service."
    advice = "A super admin can set up the connection in Settings."
    retryable = False


class ServerFailed(Unavailable):
    """The service failed while reading."""

    happened = "The finance service failed."


class Unknown(FinanceError):
    """It was sent and no answer came back that can be relied on: neither done nor failed, until we find out.

    `refusal` is what stood in the way when it was asked again, where that tells nothing of what was sent before.
    """

    status = 504
    happened = "It was sent, but no answer came back."
    changed = None
    advice = "Do not repeat it: we are finding out and will show the result here."

    def __init__(self, detail: str = "", *, refusal: FinanceError | None = None, **kwargs: Any) -> None:
        if refusal is not None:
            detail = detail or f"{self.happened} Asked again: {refusal.detail}"
            kwargs = {
                "code": refusal.code,
                "request_id": refusal.request_id,
                "upstream_status": refusal.upstream_status,
                "retry_after": refusal.retry_after,
            } | kwargs
        super().__init__(detail, **kwargs)
        self.refusal = refusal
        self.has_left = True

    @property
    def on_form(self) -> str:
        """Under the key of its form it can be repeated."""
        return f"{self.detail} {self.consequence} Send it again as it stands: it is not done twice."


class BadAnswer(FinanceError):
    """The service answered something that cannot be read."""

    status = 502
    happened = "The finance service gave an answer that cannot be read."
    retryable = True


# Another request was sent under the key of this one, perhaps with success: nobody may say that nothing was changed.
KEY_CONFLICTS = (KeyReused, KeyReusedUpstream)
# What the page of a form shows on itself; NotAllowed and NotFound have pages of their own.
FAILED = (AlreadyDone, BadAnswer, Conflict, Rejected, TooMany, Unavailable, Unknown)
