"""A change of a mandate, a role or somebody's rights as it is looked at before it is made."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from dashboard.access.operation import Operation
from dashboard.impact.consequences import Consequence
from dashboard.proposals.services import Draft


@dataclass(frozen=True)
class Wanted:
    """What would be sent, what it means, and where one goes from there; without a sentence nothing would change."""

    operation: Operation
    heading: str
    title: str
    button: str
    done: str
    sentences: list[str]
    follows: Callable[[], list[Consequence]]
    target_type: str
    target_id: str
    seen: Mapping[str, Any]
    about: Iterable[str]
    leave: str
    path: Mapping[str, str]
    body: Mapping[str, Any]
    employee_id: str = ""
    grave: bool = False
    trouble: str = field(default="")

    @property
    def mark(self) -> str:
        """What was seen, as it travels with the form."""
        return json.dumps(self.seen, sort_keys=True)

    def draft(
        self, key: str, follows: Iterable[Consequence], *, why: str = "", effective_at: datetime | None = None
    ) -> Draft:
        """As it is made or proposed, with what was found to follow."""
        return Draft(
            operation=self.operation,
            title=self.title,
            key=key,
            employee_id=self.employee_id,
            path=self.path,
            body=self.body,
            target_type=self.target_type,
            target_id=self.target_id,
            seen=self.seen,
            about=self.about,
            sentences=self.sentences,
            consequences=[one.text for one in follows],
            reason=why,
            effective_at=effective_at,
        )
