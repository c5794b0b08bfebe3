"""Text from outside, printed so that it cannot turn around what stands beside it (Unicode's UAX #9).

A name in Arabic sets the direction of the amount that follows it; U+202E in a merchant's name shows the rest of the line
backwards. So each text with such a character is isolated: by `<bdi>` where markup can stand, by FSI … PDI where it
cannot. A character that opens an embedding, an override or an isolate and never closes it, or closes what it never
opened, would reach beyond its text, as in a sentence that names it: it is not printed.
"""

import re
from typing import Any

from django.utils.html import format_html
from django.utils.safestring import SafeString

OPENS, POPS = "\u202a\u202b\u202d\u202e", "\u202c"
ISOLATES, ENDS = "\u2066\u2067\u2068", "\u2069"
FSI, PDI = "\u2068", "\u2069"
PAIRED = re.compile(f"[{OPENS}{POPS}{ISOLATES}{ENDS}]")
# Those, the marks of a direction, and the letters that are read from the right.
TURNS = re.compile(
    "[\u0590-\u08ff\u200e\u200f\u202a-\u202e\u2066-\u2069\ufb1d-\ufdff\ufe70-\ufefe\U00010800-\U00010fff\U0001e800-\U0001efff]"
)


def turns(text: str) -> bool:
    """Whether the text holds anything that could change the order of what stands around it."""
    return not text.isascii() and TURNS.search(text) is not None


def settled(text: str) -> str:
    """The text without the controls that have no other half; each line by itself, for a line's end closes all."""
    return "\n".join(_paired(line) for line in text.split("\n")) if PAIRED.search(text) else text


def _paired(line: str) -> str:
    printed, open_at = set[int](), list[int]()
    for place, character in enumerate(line):
        if character in OPENS or character in ISOLATES:
            open_at.append(place)
        elif character == POPS and open_at and line[open_at[-1]] in OPENS:
            printed |= {open_at.pop(), place}
        elif character == ENDS and any(line[position] in ISOLATES for position in open_at):
            # It closes what was opened since within it, too: that has no end of its own.
            while line[open_at[-1]] in OPENS:
                open_at.pop()
            printed |= {open_at.pop(), place}
    return "".join(character for place, character in enumerate(line) if place in printed or not PAIRED.match(character))


def isolated(text: str) -> str:
    """The text, between FSI and PDI where it holds what could turn its surroundings around; each line by itself."""
    if not turns(text):
        return text
    return "\n".join(f"{FSI}{line}{PDI}" if line else "" for line in settled(text).split("\n"))


def in_markup(text: str) -> SafeString | str:
    """The text in <bdi>, escaped, where it needs one; else the text as it is."""
    return format_html("<bdi>{}</bdi>", settled(text)) if turns(text) else text


def isolated_text(value: Any) -> str | None:
    """What a template prints of a value, where that may hold text from outside; None for markup and for numbers."""
    if isinstance(value, str):
        return None if hasattr(value, "__html__") else value
    if value is None or isinstance(value, int | float) or hasattr(value, "__html__"):
        return None
    return str(value)


def isolated_value(value: Any) -> Any:
    """What a template prints where no markup can stand, or where it prints hundreds: isolated by FSI … PDI where it needs it."""
    if type(value) is str:
        return value if value.isascii() else isolated(value)
    text = isolated_text(value)
    return value if text is None else isolated(text)
