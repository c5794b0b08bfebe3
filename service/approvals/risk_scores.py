"""What the risk score is asked about, and who answers: service/risk/, which reads what the areas above have paid."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Protocol, TypedDict

from service.businesses.models import Business


@dataclass(frozen=True, slots=True)
class Question:
    """A payment request to be scored; `key` is the payout or bill payment."""

    key: str
    action_type: int
    amount_minor: int
    currency: str
    role_since: datetime | None  # when the requester got the role; None where nobody did
    requested_at: datetime
    due_at: datetime | None = None
    requester_id: str = ""


# What a signal was seen by, by name: texts, ISO times, counts and minor units.
SignalEvidence = Mapping[str, str | int | None]


class SignalShape(TypedDict):
    """One reason of a score, its weight, and what it was seen by: names and values of the signal's own."""

    code: str
    weight: int
    evidence: SignalEvidence


class RiskShape(TypedDict):
    """A score of 0 to 100 with its level and reasons, as it is stored and shown."""

    score: int
    level: str
    signals: list[SignalShape]
    model_version: str


class Risk(Protocol):
    """The score of one request for votes, as it is stored with it."""

    def as_dict(self) -> RiskShape:
        """As it is stored and shown: score (0 to 100), level, signals (code, weight, evidence), model_version."""
        ...


# The risk of each request by its key, for all that are asked about at once.
Assess = Callable[[Business, Sequence[Question]], Mapping[str, Risk]]
_ASSESS: list[Assess] = []


def register_assessment(assess: Assess) -> None:
    """Called by the area that scores, when it is loaded."""
    _ASSESS.append(assess)


def scores(business: Business, questions: Sequence[Question]) -> dict[str, RiskShape]:
    """The risk of each request as it is stored, by key. Nobody is voted for unscored: ValueError where nobody scores."""
    [assess] = _ASSESS
    return {key: risk.as_dict() for key, risk in assess(business, questions).items()}
