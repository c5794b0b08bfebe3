"""Who is named in a text: @ and a name, as others read it. Whoever may not see the item is not called to it."""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from dashboard.access.actor import Actor
from dashboard.access.models import Membership
from dashboard.errors import Rejected
from dashboard.mirror.item_kinds import ITEM_KINDS, sees

# An @ that begins a word: an e-mail address has one inside.
AT = re.compile(r"(?<![\w.@+-])@(?=[^\W\d_])")
WORD = re.compile(r"[\w'’-]+")
MOST_MENTIONS = 10
MOST_SUGGESTED = 8


@dataclass(frozen=True)
class Named:
    """A place in a text where somebody is named."""

    start: int
    end: int
    membership: Membership


def members_of(actor: Actor) -> list[Membership]:
    """Everyone who belongs to the actor's business now, by name."""
    members = Membership.objects.filter(business=actor.business, is_active=True, user__is_active=True)
    return sorted(members.select_related("user", "business"), key=lambda member: member.user.get_full_name().casefold())


def named_in(text: str, members: list[Membership]) -> list[Named]:
    """Everybody who is named: by the whole name, or by the first name where only one has it.

    Rejected, with a sentence, for a name that is nobody's or of several.
    """
    return [_named(text, at.start(), members) for at in AT.finditer(text)]


def _named(text: str, start: int, members: list[Membership]) -> Named:
    rest = text[start + 1 :]
    whole = [member for member in members if _begins(rest, member.user.get_full_name())]
    if whole:
        longest = max(whole, key=lambda member: len(member.user.get_full_name()))
        return Named(start, start + 1 + len(longest.user.get_full_name()), longest)
    word = WORD.match(rest)
    first = word[0].rstrip("'’-") if word else ""
    same = [member for member in members if member.user.get_full_name().split(" ")[0].casefold() == first.casefold()]
    if len(same) > 1:
        names = " or ".join(f"@{namesake.user.get_full_name()}" for namesake in same[:4])
        raise Rejected(f"Several people are called {first}: write {names}.", code="mention_unclear")
    if not same:
        raise Rejected(
            f"Nobody here is called “{first}”. Write the name as shown on other pages.", code="mention_unknown"
        )
    return Named(start, start + 1 + len(first), same[0])


def _begins(text: str, name: str) -> bool:
    following = text[len(name) : len(name) + 1]
    return text[: len(name)].casefold() == name.casefold() and not (following.isalnum() or following == "_")


def mentioned(actor: Actor, kind: str, remote_id: str, text: str) -> list[Membership]:
    """Whom the text calls to the item, each once and not its author. Rejected where somebody may not see it."""
    if not AT.search(text):
        return []
    called = {mention.membership.pk: mention.membership for mention in named_in(text, members_of(actor))}
    called.pop(actor.member_id, None)
    if len(called) > MOST_MENTIONS:
        raise Rejected(f"At most {MOST_MENTIONS} people in one comment.", code="too_many_mentions")
    for membership in called.values():
        if not sees(membership, kind, remote_id):
            noun, name = ITEM_KINDS[kind].label.lower(), membership.user.get_full_name()
            raise Rejected(
                f"{name} does not have access to this {noun} and cannot be mentioned.", code="mention_hidden"
            )
    return list(called.values())


def suggested(actor: Actor, kind: str, remote_id: str, typed: str) -> list[Membership]:
    """Who could be meant by what was typed so far: of those who may see the item, the first few by name."""
    suggestions: list[Membership] = []
    beginning = typed.strip().casefold()
    for member in members_of(actor):
        names = member.user.get_full_name().casefold()
        fits = any(part.startswith(beginning) for part in (names, *names.split(" ")))
        if fits and member.pk != actor.membership_id and sees(member, kind, remote_id):
            suggestions.append(member)
        if len(suggestions) == MOST_SUGGESTED:
            break
    return suggestions


def pieces_of(text: str, names: list[str]) -> Iterator[tuple[str, bool]]:
    """The text in pieces, each with whether it names somebody: for printing."""
    if not names:
        yield text, False
        return
    either = "|".join(re.escape(name) for name in sorted(names, key=len, reverse=True))
    for at, piece in enumerate(re.split(rf"(?<![\w.@+-])(@(?:{either}))(?!\w)", text, flags=re.IGNORECASE)):
        if piece:
            yield piece, at % 2 == 1
