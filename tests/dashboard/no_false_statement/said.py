"""What a person can read of an act, and whether it denies or affirms that it was carried out."""

from __future__ import annotations

import html
import re
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from django.contrib import messages

# What denies that anything was done; that the form was refused is said in one of these, too.
DENIALS = (
    r"nothing (?:of them |of it )?(?:was|has been) (?:sent|changed|moved|done|posted|confirmed|made|added|allocated|imported|stored)",
    r"nothing has changed", r"changed nothing", r"(?:it|which|and) was not done", r"this one was not\b", r"the rest was not started",
    r"(?:was|were) not (?:sent|made|saved|changed|requested|carried out|taken in|undone)", r"not sent: ",
    r"will not be done", r"so nothing was", r"did not arrive", r"cannot be removed", r"could not import",
    r"can be undone", r"is refused", r"refused this",
)  # fmt: skip
AFFIRMATIONS = (
    r"(?<!whether )(?<!step before )\bit was done\b",
    r"\bfound it done\b",
    r"(?<!second person )has confirmed it",
    r"(?<!before it was )\bdone;",
)
DENIES = re.compile("|".join(DENIALS), re.IGNORECASE)
AFFIRMS = re.compile("|".join(AFFIRMATIONS), re.IGNORECASE)
NOT_SEEN = re.compile(r"<(script|style|template)\b.*?</\1>", re.DOTALL | re.IGNORECASE)


@dataclass(frozen=True)
class Statement:
    """Something a person can read: `done` is what it claims, None where it leaves that open; `at` seconds since the epoch.

    `item` names the thing it speaks of where the act has several.
    """

    where: str
    words: str
    done: bool | None
    at: float = field(default_factory=time.time)
    item: str = ""


def words_of(answer: Any) -> str:
    """A page or a toast as it is read: no markup, single spaces."""
    body = NOT_SEEN.sub(" ", answer.content.decode())
    return " ".join(html.unescape(re.sub(r"<[^>]+>", " ", body)).split())


def statements_in(where: str, text: str, before: str = "", item: str = "") -> Iterator[Statement]:
    """Each sentence that denies or affirms and did not stand in `before`."""
    for pattern, done in ((DENIES, False), (AFFIRMS, True)):
        for found in pattern.finditer(text):
            around = text[max(0, found.start() - 90) : found.end() + 60]
            if text.count(found.group()) > before.count(found.group()):
                yield Statement(where, around, done, item=item)


def of_answer(answer: Any, before: str = "") -> Iterator[Statement]:
    """What the answer to a form says: its page or toast, and the messages that it leaves for the next page."""
    where = f"answer {answer.status_code}"
    if answer.status_code not in {301, 302, 303}:
        yield from statements_in(where, words_of(answer), before)
    for one in (
        getattr(answer.wsgi_request, "_messages", None) and answer.wsgi_request._messages._queued_messages
    ) or ():
        text = str(one)
        claimed = True if one.level == messages.SUCCESS else None
        denied = next((said for said in statements_in(f"{where}, message", text) if said.done is False), None)
        yield denied or Statement(f"{where}, message", text, claimed)


# Of two steps of a form the last is denied.
STEP_BEFORE = "The step before it was done"
FATES = {"done": True, "refused": False, "withdrawn": False}


def of_fate(found: dict[str, Any], item: str = "") -> Iterator[Statement]:
    """What is told to whoever asks by the form's key."""
    claimed = FATES.get(found["known"])
    yield Statement("fate", f"{found['known']}: {found['sentence']}", claimed, item=item)
    if claimed is not False:
        yield from (one for one in statements_in("fate", found["sentence"], item=item) if one.done is False)
