"""What comes in from the audit page: the filters of its address."""

import re
from dataclasses import dataclass, field
from typing import Self
from urllib.parse import urlencode

from django.http import QueryDict

from dashboard.audit.models import Outcome

NAMES = ("person", "outcome", "own", "object")


@dataclass(frozen=True)
class Filters:
    """The filters of an address, read without trust; `problems` says per name what could not be understood."""

    person: str = ""
    outcome: str = ""
    own: str = ""
    object: str = ""
    before: int | None = None
    problems: dict[str, str] = field(default_factory=dict)

    @classmethod
    def read(cls, given: QueryDict) -> Self:
        """From the address's query; `before` is the number of the line that the page above ended with."""
        values = {name: given.get(name, "").strip()[:100].replace("\x00", "") for name in NAMES}
        problems = {}
        if values["outcome"] and values["outcome"] not in Outcome.values:
            problems["outcome"] = "There is no such outcome."
            values["outcome"] = ""
        before = given.get("before", "")
        if before and not re.fullmatch(r"\d{1,18}", before):
            problems["before"] = "The page of this address is not known; this is the first one."
            before = ""
        return cls(**values, before=int(before) if before else None, problems=problems)

    def query(self, **changes: str) -> str:
        """The query of an address like this one with these changes."""
        values = {name: getattr(self, name) for name in NAMES} | changes
        return urlencode({name: value for name, value in values.items() if value})
