"""How every answer of the service is read: tolerant of what is unknown, strict on money."""

from collections.abc import Mapping
from decimal import Decimal
from typing import Annotated, Any, ClassVar

from pydantic import AfterValidator, AliasChoices, BaseModel, BeforeValidator, ConfigDict, Field

from dashboard.money import Money, exponent, to_minor

JsonObject = Mapping[str, object]
"""A JSON object that is passed on without a look at its fields: a body that was checked, the fields of a line of the audit.
It is read only; whoever reads a field of it says first what it is."""


class ResponseSchema(BaseModel):
    """Something the service answered: unknown fields are kept, unknown enum values stay the text they are."""

    model_config = ConfigDict(extra="allow", populate_by_name=True, frozen=True, coerce_numbers_to_str=True)


class RequestSchema(BaseModel):
    """A body we send: exactly its fields, nothing empty by accident."""

    model_config = ConfigDict(extra="forbid", populate_by_name=True)
    # Whether null means "empty this" (and so is sent where it was given), or nothing at all.
    null_empties: ClassVar[bool] = False

    def wire(self) -> JsonObject:
        """The body as it is sent, by the interface's names, without what is null; without what was not set where null empties."""
        if self.null_empties:
            return self.model_dump(by_alias=True, exclude_unset=True)
        return self.model_dump(by_alias=True, exclude_none=True)


def _exact(value: Any) -> Any:
    if isinstance(value, float | bool):
        # The transport parses numbers as Decimal; a float here has already lost the exact amount.
        raise ValueError("an amount must be exact")  # noqa: TRY004 - pydantic turns ValueError into its own error
    return value


def _known(currency: str) -> str:
    exponent(currency)
    return currency


Amount = Annotated[Decimal, BeforeValidator(_exact), Field(allow_inf_nan=False)]
Id = Annotated[str, Field(validation_alias=AliasChoices("_id", "id"), min_length=1)]
Text = Annotated[str, BeforeValidator(lambda value: "" if value is None else value)]
# Three letters, whatever they name: what is sent, and said without an amount.
CurrencyCode = Annotated[str, Field(pattern=r"^[A-Z]{3}$")]
# That of an amount: a code that is not known is refused with the whole answer.
Currency = Annotated[CurrencyCode, AfterValidator(_known)]


def money_of(amount: Decimal, amount_minor: int | None, currency: str) -> Money:
    """The amount as Money; ValueError where its two spellings disagree."""
    minor = to_minor(amount, currency)
    if amount_minor is not None and amount_minor != minor:
        raise ValueError(f"amount {amount} and amount_minor {amount_minor} disagree")
    return Money(minor, currency)
