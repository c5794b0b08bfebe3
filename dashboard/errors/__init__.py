"""Everything that can go wrong between a person's click and the service, as one tree of errors with their sentences.

Each error says what happened, whether anything was changed, and what to do; `status` is what our own page answers
with. Which bodies become which error: dashboard/client/refusals.py.
"""

from dashboard.errors.doubts import AlreadyDone, Unknown
from dashboard.errors.finance_error import FieldProblem, FinanceError
from dashboard.errors.outages import (
    AuthFailed,
    BadAnswer,
    CircuitOpen,
    NotConnected,
    ServerFailed,
    StoreAway,
    TimedOut,
    TooMany,
    Unavailable,
)
from dashboard.errors.refusals import (
    Conflict,
    EntitlementMissing,
    Forbidden,
    InsufficientFunds,
    InvalidState,
    KeyReused,
    KeyReusedUpstream,
    LimitExceeded,
    NotAllowed,
    NotFound,
    PolicyBlocked,
    Rejected,
    ScopeMissing,
    Stale,
)

__all__ = [
    "FAILED",
    "KEY_CONFLICTS",
    "AlreadyDone",
    "AuthFailed",
    "BadAnswer",
    "CircuitOpen",
    "Conflict",
    "EntitlementMissing",
    "FieldProblem",
    "FinanceError",
    "Forbidden",
    "InsufficientFunds",
    "InvalidState",
    "KeyReused",
    "KeyReusedUpstream",
    "LimitExceeded",
    "NotAllowed",
    "NotConnected",
    "NotFound",
    "PolicyBlocked",
    "Rejected",
    "ScopeMissing",
    "ServerFailed",
    "Stale",
    "StoreAway",
    "TimedOut",
    "TooMany",
    "Unavailable",
    "Unknown",
]

# Another request was sent under the key of this one, perhaps with success: nobody may say that nothing was changed.
KEY_CONFLICTS = (KeyReused, KeyReusedUpstream)
# What the page of a form shows on itself; NotAllowed and NotFound have pages of their own.
FAILED = (AlreadyDone, BadAnswer, Conflict, Rejected, TooMany, Unavailable, Unknown)
