"""The root of the tree of errors: what every one of them says, and what it was sent with."""

from collections.abc import Sequence
from dataclasses import dataclass

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
