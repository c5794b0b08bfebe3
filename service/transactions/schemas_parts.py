"""How a transaction is split, on the wire."""

from ninja import Schema
from pydantic import ConfigDict, Field

from service import inputs
from service.text import ObjectId, Text


class NewPart(Schema):
    """A part of a transaction: an amount in its currency, above zero."""

    model_config = ConfigDict(extra="forbid")

    subcategory_id: ObjectId
    amount: inputs.Number = Field(gt=0, max_digits=18)
    description: Text = Field("", max_length=200)


class Split(Schema):
    """All parts of a transaction: they come to its amount, without its fees. None of them makes it whole again."""

    model_config = ConfigDict(
        extra="forbid",
        json_schema_extra={
            "examples": [
                {
                    "version": 1,
                    "parts": [
                        {"subcategory_id": "0192f0c0ffee000012345678", "amount": 1000},
                        {"subcategory_id": "0192f0c0ffee000012345679", "amount": 250.5},
                    ],
                }
            ]
        },
    )

    version: inputs.Whole = Field(ge=1, le=inputs.LARGEST, description="The transaction's, when the parts were chosen.")
    parts: list[NewPart] = Field(max_length=20, description="Two or more; none makes it whole again.")
