"""Texts that people type into the interface: names, codes, phone numbers, addresses of mail, references of wallets; and
codes made from names."""

import re
from typing import Annotated

from pydantic import Field, StringConstraints

from service import inputs

Words = Annotated[inputs.Name, Field(max_length=100)]
Code = Annotated[inputs.Line, StringConstraints(pattern=r"^[A-Za-z0-9][A-Za-z0-9_\-]{0,39}$")]
Phone = Annotated[inputs.Line, StringConstraints(pattern=r"^\+?[0-9]{7,15}$")]
Email = Annotated[
    inputs.Line,
    StringConstraints(max_length=254, pattern=r"^[^@\s<>]+@[^@\s<>]+\.[A-Za-z0-9\-]{2,}$"),
    Field(examples=["carla@example.com"]),
]
WalletRef = Annotated[inputs.Line, StringConstraints(pattern=r"^[A-Za-z0-9:_\-]{1,40}$")]
Text = Annotated[inputs.Lines, Field(max_length=500)]
# Why something is decided or done, which somebody else reads: as much of it, in as many lines, of whatever is decided.
Reason = Annotated[inputs.Sentences, Field(max_length=500)]
CurrencyCode = Annotated[str, StringConstraints(pattern=r"^[A-Z]{3}$"), Field(examples=["KES"])]
ObjectId = Annotated[str, StringConstraints(pattern=r"^[0-9a-f]{24}$"), Field(examples=["0192f0c0ffee000012345678"])]


def code_from(name: str) -> str:
    """A code from a name: Office supplies → OFFICE_SUPPLIES."""
    return re.sub(r"[^A-Z0-9]+", "_", name.upper()).strip("_")[:40] or "CODE"


# Letters whose names begin with a vowel, as in "an FX quote"; and words that begin otherwise than they are written.
VOWEL_NAMES, LONGEST_INITIALISM = frozenset("AEFHILMNORSX"), 3
SPOKEN_WITH_CONSONANT = re.compile(r"(?:one|once|uni|use|usu|util|eur)", re.IGNORECASE)
SPOKEN_WITH_VOWEL = re.compile(r"(?:hour|honest|honou?r|heir)", re.IGNORECASE)


def with_article(noun: str, *, capital: bool = False) -> str:
    """A noun with "a" or "an" before it, by how it is spoken: an approver, a user, an hour, an FX quote; `capital` at the
    beginning of a sentence."""
    first = noun.split(" ", 1)[0]
    if first.isupper() and len(first) <= LONGEST_INITIALISM:
        vowel = first[0] in VOWEL_NAMES
    elif SPOKEN_WITH_VOWEL.match(noun):
        vowel = True
    else:
        vowel = noun[:1].lower() in "aeiou" and not SPOKEN_WITH_CONSONANT.match(noun)
    article = "an" if vowel else "a"
    return f"{article.capitalize() if capital else article} {noun}"
