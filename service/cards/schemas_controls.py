"""The controls of a card on the wire: the whole table of decisions B.7, amounts in minor units."""

from typing import Annotated, Literal

from ninja import Schema
from pydantic import (
    AwareDatetime,
    ConfigDict,
    Field,
    JsonValue,
    StringConstraints,
    field_serializer,
    model_validator,
)

from service import inputs
from service.text import Words

Mcc = Annotated[str, StringConstraints(pattern=r"^[0-9]{4}$"), Field(examples=["5541"])]
Country = Annotated[str, StringConstraints(pattern=r"^[A-Z]{2}$"), Field(examples=["KE"])]
Minor = Annotated[inputs.Whole, Field(ge=1, le=inputs.LARGEST)]
Clock = Annotated[str, StringConstraints(pattern=r"^([01][0-9]|2[0-3]):[0-5][0-9]$")]
CardChannel = Literal["CARD_PRESENT", "ECOMMERCE", "ATM", "CONTACTLESS", "RECURRING"]
Interval = Literal["PER_DAY", "PER_WEEK", "PER_MONTH", "PER_YEAR", "ALL_TIME"]


class Closed(Schema):
    """Takes its own fields and no others."""

    model_config = ConfigDict(extra="forbid")


class IntervalLimit(Closed):
    """At most `amount` minor units in a window of the business's time zone; `counts_refunds` gives back what was."""

    interval: Interval
    amount: Minor = Field(examples=[5_000_000])
    mcc: list[Mcc] = Field(default_factory=list, max_length=100)
    counts_refunds: bool = False

    @property
    def key(self) -> tuple[str, tuple[str, ...]]:
        """What tells it from the others of a card."""
        return self.interval, tuple(sorted(self.mcc))


class MaxCount(Closed):
    """At most so many uses of the card within an hour, and within a day."""

    hour: inputs.Whole | None = Field(default=None, alias="1h", ge=0, le=10_000)
    day: inputs.Whole | None = Field(default=None, alias="24h", ge=0, le=10_000)


class SingleUse(Closed):
    """One use, of exactly or at most the amount."""

    comparison: Literal["EQUALS", "LTE"] = "LTE"
    amount: Minor = Field(examples=[250_000])


class Hours(Closed):
    """A span of the day in the business's time zone; it may go over midnight."""

    from_: Clock = Field(alias="from", examples=["08:00"])
    to: Clock = Field(examples=["18:00"])


class ActiveWindow(Closed):
    """When the card may be used: days (inclusive), weekdays (1 is Monday), hours; what is missing does not bound."""

    from_: inputs.Day | None = Field(default=None, alias="from")
    until: inputs.Day | None = None
    weekdays: list[Annotated[inputs.Whole, Field(ge=1, le=7)]] = Field(default_factory=list, max_length=7)
    hours: Hours | None = None

    @model_validator(mode="after")
    def the_right_way_round(self) -> "ActiveWindow":
        """Refuses a window that ends before it begins."""
        if self.from_ and self.until and self.until < self.from_:
            raise ValueError("`until` lies before `from`.")
        return self


class Temporary(Closed):
    """Higher limits until a moment, after which the card's own apply again by themselves."""

    per_transaction_limit: Minor | None = None
    limits: list[IntervalLimit] = Field(default_factory=list, max_length=20)
    until: inputs.Moment

    @model_validator(mode="after")
    def has_a_limit(self) -> "Temporary":
        """Refuses temporary controls without a limit: at least one is needed."""
        if self.per_transaction_limit is None and not self.limits:
            raise ValueError("Name a limit that is raised.")
        return self

    @field_serializer("until", when_used="json")
    def _moment(self, until: AwareDatetime) -> str:
        return until.isoformat()


# Higher than the limits of the card that stand beside it in an example.
RISE: JsonValue = {
    "per_transaction_limit": 900_000,
    "limits": [{"interval": "PER_MONTH", "amount": 8_000_000, "mcc": ["5541"]}],
    "until": "2026-12-31T21:00:00Z",
}


class Controls(Closed):
    """What the card may be used for. Lists that allow and block merchant codes exclude each other; a block wins."""

    mcc_allowed: list[Mcc] = Field(default_factory=list, max_length=300)
    mcc_blocked: list[Mcc] = Field(default_factory=list, max_length=300)
    merchants_allowed: list[Words] = Field(default_factory=list, max_length=300, examples=[["Java House"]])
    merchants_blocked: list[Words] = Field(default_factory=list, max_length=300)
    countries_allowed: list[Country] = Field(default_factory=list, max_length=250)
    countries_blocked: list[Country] = Field(default_factory=list, max_length=250)
    channels_allowed: list[CardChannel] = Field(default_factory=list, max_length=5)
    per_transaction_limit: Minor | None = None
    limits: list[IntervalLimit] = Field(default_factory=list, max_length=20)
    max_count: MaxCount | None = None
    single_use: SingleUse | None = None
    active_window: ActiveWindow | None = None
    auto_lock_at: inputs.Day | None = None
    require_receipt_within_days: inputs.Whole | None = Field(default=None, ge=1, le=365)
    temporary: Temporary | None = Field(default=None, examples=[RISE])

    @model_validator(mode="after")
    def consistent(self) -> "Controls":
        """Refuses lists that both allow and block, two limits of one kind, and a rise of nothing or downwards."""
        if self.mcc_allowed and self.mcc_blocked:
            raise ValueError("mcc_allowed and mcc_blocked exclude each other.")
        standing = {limit.key: limit.amount for limit in self.limits}
        if len(standing) != len(self.limits):
            raise ValueError("limits: two are about the same interval and merchant codes.")
        if self.temporary:
            _check_rise(self.temporary, self.per_transaction_limit, standing)
        return self


def _check_rise(rise: Temporary, single: int | None, standing: dict[tuple[str, tuple[str, ...]], int]) -> None:
    if rise.per_transaction_limit is not None and (single is None or rise.per_transaction_limit <= single):
        raise ValueError("temporary: per_transaction_limit raises no limit of the card.")
    if any(limit.amount <= standing.get(limit.key, limit.amount) for limit in rise.limits):
        raise ValueError("temporary: a limit raises none of the card.")
