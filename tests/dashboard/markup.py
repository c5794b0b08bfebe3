"""What a page says, whatever its template's lines and indentation are."""

import re
from typing import Protocol


class Answered(Protocol):
    """An answer with a body."""

    @property
    def content(self) -> bytes:
        """The body."""


def markup_of(answer: Answered) -> str:
    """The page's markup with its whitespace taken together: none beside a tag, one space elsewhere."""
    return re.sub(r"\s*([<>])\s*", r"\1", re.sub(r"[ \n\t]+", " ", answer.content.decode()))
