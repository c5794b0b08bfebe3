"""Proving the audit: every seal is recomputed, every line without one is counted, every head kept outside compared."""

from collections import defaultdict
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

from django.db.models import Exists, Min, OuterRef
from django.utils import timezone

from dashboard.access.models import Business
from dashboard.audit import anchors
from dashboard.audit.anchors import Anchor, AnchorsUnavailable
from dashboard.audit.chain import FIRST, link
from dashboard.audit.models import AuditEntry, AuditHead, AuditSeal

BATCH_SIZE = 2000
MAX_WAIT = timedelta(seconds=60)


@dataclass(frozen=True)
class Verification:
    """What a check of one chain found: `sealed_to` links that hold, `waiting` lines without a seal, and what is wrong.

    `anchored_to` is the newest head outside the database that the chain was compared with (None: there is none), `store_since`
    the moment since when the store's heads were (None: there is no store), and `not_compared` says which place could not be
    asked.
    """

    sealed_to: int
    waiting: int
    problem: str = ""
    broken_entry: int | None = None
    anchored_to: int | None = None
    not_compared: str = ""
    store_since: datetime | None = None

    @property
    def ok(self) -> bool:
        """Whether every line is as it was written."""
        return not self.problem

    @property
    def compared(self) -> bool:
        """Whether it was compared with a head outside, at every place that keeps some; there is none of an empty chain."""
        return (self.anchored_to is not None or self.sealed_to == 0) and not self.not_compared

    @property
    def sentence(self) -> str:
        """ "sealed to 1204, 2 waiting, anchored to 1204": the finding in one line, with what of a store was compared."""
        anchored = "not anchored" if self.anchored_to is None else f"anchored to {self.anchored_to}"
        counts = f"sealed to {self.sealed_to}, {self.waiting} waiting, {anchored}"
        since = self.store_since
        store = (
            ""
            if since is None or self.anchored_to is None or self.problem
            else f"every file and the anchor store's heads since {_moment(since)} were compared"
        )
        return "; ".join(part for part in (counts, self.problem, self.not_compared or store) if part)


def _go_on() -> None:
    pass


def begun_at(chain: int) -> datetime:
    """Since when there can be heads of a chain: its first line, the first head in the files, or the business's own beginning,
    whichever is oldest; never less than the last 48 hours, since whoever took away the lines and the files took these with them."""
    first = AuditSeal.objects.filter(chain=chain).aggregate(at=Min("entry__at"))["at"]
    try:
        oldest = min((anchor.at for anchor in anchors.appended(chain)), default=None)
    except AnchorsUnavailable:
        oldest = None
    businesses = Business.objects.filter(pk=chain) if chain else Business.objects.all()
    began = businesses.aggregate(at=Min("created_at"))["at"]
    return min(
        at for at in (first, oldest, began, anchors.hour_of(timezone.now()) - anchors.LOOKBACK) if at is not None
    )


def verify(
    business: Business | int, beat: Callable[[], None] = _go_on, *, store_since: datetime | None = None
) -> Verification:
    """Checks a business's whole chain (0: the chain of what belongs to no business), and asks the anchors outside: all that
    are in files, and the store's since a moment, or of the last 48 hours.

    `beat` is called before each batch of links, and of the store's heads, and may stop it by what it raises.
    """
    chain = business if isinstance(business, int) else business.pk
    since = (store_since or timezone.now() - anchors.LOOKBACK) if anchors.has_store() else None
    outside, in_store, not_compared = _anchored(chain, since, beat)
    # Every anchor is compared, not one for each number: a chain that was cut and grew again has anchored its new links under the old
    # numbers, and it is the heads from before that give it away.
    by_number = defaultdict[int, list[Anchor]](list)
    for anchor in outside:
        by_number[anchor.number].append(anchor)
    number, before, problem, broken = _walk(chain, by_number, beat)
    newest = max(outside, key=lambda anchor: anchor.number, default=None)
    if not problem and newest is not None and newest.number > number:
        problem = f"links after {number} are missing: link {newest.number} was anchored at {_moment(newest.at)}"
    if number and not not_compared and since is not None and not in_store:
        not_compared = f"the anchor store has no head since {_moment(since)}"
    waiting, oldest = _waiting(chain)
    if not problem:
        problem = _head_problem(chain, number, before)
    if not problem and oldest is not None and timezone.now() - oldest > MAX_WAIT:
        problem = f"a line has waited for its seal since {_moment(oldest)}"
    return Verification(number, waiting, problem, broken, newest.number if newest else None, not_compared, since)


def _anchored(chain: int, since: datetime | None, beat: Callable[[], None]) -> tuple[list[Anchor], bool, str]:
    """All heads outside that can be read, the store's since a moment (None: there is no store), whether any of them is the
    store's, and what could not be read."""
    heads, stored, missing = list[Anchor](), list[Anchor](), list[str]()
    try:
        heads.extend(anchors.appended(chain))
    except AnchorsUnavailable as problem:
        missing.append(str(problem))
    if since is not None:
        try:
            stored.extend(anchors.heads_in_store(chain, since, beat))
        except AnchorsUnavailable as problem:
            missing.append(str(problem))
    return heads + stored, bool(stored), "; ".join(missing)


def _walk(
    chain: int, outside: Mapping[int, list[Anchor]], beat: Callable[[], None]
) -> tuple[int, str, str, int | None]:
    number, before = 0, FIRST
    while True:
        beat()
        links = list(
            AuditSeal.objects.filter(chain=chain, number__gt=number)
            .select_related("entry")
            .order_by("number")[:BATCH_SIZE]
        )
        for seal in links:
            if seal.number != number + 1:
                return number, before, f"link {number + 1} is missing", None
            if seal.entry.chain != chain or seal.hash != link(before, seal.number, seal.entry):
                problem = f"line {seal.entry_id} (link {seal.number}) is not as it was sealed"
                return number, before, problem, seal.entry_id
            others = [anchor for anchor in outside.get(seal.number, []) if anchor.hash != seal.hash]
            if others:
                problem = f"the links up to {seal.number} are not those anchored at {_moment(others[0].at)}"
                return number, before, problem, None
            number, before = seal.number, seal.hash
        if len(links) < BATCH_SIZE:
            return number, before, "", None


def _moment(at: datetime) -> str:
    return f"{at.astimezone(UTC):%Y-%m-%d %H:%M:%S} UTC"


def _head_problem(chain: int, number: int, last: str) -> str:
    # The sealer may have gone on while we walked: a head behind what we saw is what must never be.
    head = AuditHead.objects.filter(chain=chain).first()
    if head is None:
        return "the chain has links but no head" if number else ""
    if head.number < number or (head.number == number and head.hash != (last if number else "")):
        return "the head of the chain does not match its last link"
    if head.number > number and not AuditSeal.objects.filter(chain=chain, number=head.number).exists():
        return f"links after {number} are missing"
    return ""


def _waiting(chain: int) -> tuple[int, datetime | None]:
    # Counted from the lines themselves: a line taken off the waiting list would show here.
    sealed = AuditSeal.objects.filter(entry_id=OuterRef("pk"))
    unsealed = AuditEntry.objects.filter(~Exists(sealed), chain=chain)
    return unsealed.count(), unsealed.aggregate(oldest=Min("at"))["oldest"]
