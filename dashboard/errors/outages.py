"""What was not done because the service cannot do it now, and answers that cannot be read."""

from dashboard.errors.finance_error import FinanceError


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


class BadAnswer(FinanceError):
    """The service answered something that cannot be read."""

    status = 502
    happened = "The finance service gave an answer that cannot be read."
    retryable = True
