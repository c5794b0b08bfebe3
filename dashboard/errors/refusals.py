"""What is refused: by our own gate, by the service, or because the subject is no longer as it was."""

from dashboard.errors.finance_error import FinanceError


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
