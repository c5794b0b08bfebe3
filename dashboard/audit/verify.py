"""Proving the audit: every seal is recomputed, and every line without one is counted."""

from dataclasses import dataclass
from datetime import datetime, timedelta

from django.db.models import Exists, Min, OuterRef
from django.utils import timezone

from dashboard.access.models import Business
from dashboard.audit.chain import FIRST, link
from dashboard.audit.models import AuditEntry, AuditHead, AuditSeal

AT_ONCE = 2000
WAITS_AT_MOST = timedelta(seconds=60)


@dataclass(frozen=True)
class Verification:
    """What a check of one chain found: `sealed_to` links that hold, `waiting` lines without a seal, and what is wrong."""

    sealed_to: int
    waiting: int
    problem: str = ""
    broken_entry: int | None = None

    @property
    def ok(self) -> bool:
        """Whether every line is as it was written."""
        return not self.problem

    @property
    def sentence(self) -> str:
        """ "sealed to 1204, 2 waiting": the finding in one line."""
        found = f"sealed to {self.sealed_to}, {self.waiting} waiting"
        return f"{found}; {self.problem}" if self.problem else found


def verify(business: Business | int) -> Verification:
    """Checks a business's whole chain (0: the chain of what belongs to no business)."""
    chain = business if isinstance(business, int) else business.pk
    number, before, problem, broken = _walk(chain)
    waiting, oldest = _waiting(chain)
    if not problem:
        problem = _head_problem(chain, number, before)
    if not problem and oldest is not None and timezone.now() - oldest > WAITS_AT_MOST:
        problem = f"a line has waited for its seal since {oldest:%Y-%m-%d %H:%M:%S} UTC"
    return Verification(number, waiting, problem, broken)


def _walk(chain: int) -> tuple[int, str, str, int | None]:
    number, before = 0, FIRST
    while True:
        links = list(
            AuditSeal.objects.filter(chain=chain, number__gt=number)
            .select_related("entry")
            .order_by("number")[:AT_ONCE]
        )
        for seal in links:
            if seal.number != number + 1:
                return number, before, f"link {number + 1} is missing", None
            if seal.entry.chain != chain or seal.hash != link(before, seal.number, seal.entry):
                return (
                    number,
                    before,
                    f"line {seal.entry_id} (link {seal.number}) is not as it was sealed",
                    seal.entry_id,
                )
            number, before = seal.number, seal.hash
        if len(links) < AT_ONCE:
            return number, before, "", None


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
