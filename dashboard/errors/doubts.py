"""What may have been done, or was done before: errors that do not say that nothing was changed."""

from typing import Any

from dashboard.errors.finance_error import FinanceError


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
