"""The plan of a bulk decision: what will pass, what will not and why, what it comes to. Nothing is written."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import StrEnum
from typing import Any

from dashboard.access.actor import Actor
from dashboard.access.check import can
from dashboard.access.operation import Operation
from dashboard.decisions.fingerprints import differences
from dashboard.decisions.models import OPEN, Decision
from dashboard.decisions.policy_gate import blocks_of, is_gated
from dashboard.decisions.registry import is_vote, kind_of, load_described, money_moved, spec_for
from dashboard.errors import Rejected
from dashboard.mirror.models import Approval, Wallet
from dashboard.mirror.scopes import visible_wallets
from dashboard.money import Money

LARGEST_BULK = 10_000


class Row(StrEnum):
    """The verdict of a plan on one row."""

    PASSES = "PASSES"
    OWN = "OWN"
    CHANGED = "CHANGED"
    DECIDED = "DECIDED"
    DECIDING = "DECIDING"
    READ_ONLY = "READ_ONLY"
    VOTED = "VOTED"
    CRITICAL = "CRITICAL"
    BLOCKED = "BLOCKED"
    DENIED = "DENIED"


WORDS = {
    Row.OWN: "your own",
    Row.CHANGED: "changed since you looked",
    Row.DECIDED: "no longer waiting",
    Row.DECIDING: "already being decided",
    Row.READ_ONLY: "of a team you review read-only",
    Row.VOTED: "outside your mandate",
    Row.CRITICAL: "critical risk, decided one by one",
    Row.BLOCKED: "blocked by policy",
    Row.DENIED: "not permitted to you",
}
# What a plan says of the rows that it decides on, by the operation's verb.
OUTCOMES = {"approve": "will be approved", "reject": "will be rejected"}
DETAILS_OUTCOME = "will be asked for details"
OF_RULE = {"not_own": Row.OWN, "not_read_only": Row.READ_ONLY, "mandate": Row.VOTED}


@dataclass(frozen=True)
class PlannedRow:
    """One row of a plan: the item, what will happen to it, and the sentence why not."""

    subject: Any
    verdict: Row
    sentence: str = ""


@dataclass(frozen=True)
class WalletAfter:
    """What a wallet would hold once everything that passes is paid from it, or into it (as of the copy's last balance).

    `before` and `after` are None where the copy knows no balance of it in `moved`'s currency; `moved` is what comes in, or
    below zero what leaves.
    """

    name: str
    # Names are not unique: a wallet is the one that its reference names.
    ref: str
    moved: Money
    before: Money | None
    after: Money | None

    def plus(self, more: Money) -> "WalletAfter":
        """The same wallet where this moves, too."""
        after = Money(self.after.minor + more.minor, more.currency) if self.after is not None else None
        return replace(self, moved=Money(self.moved.minor + more.minor, more.currency), after=after)


@dataclass(frozen=True)
class Plan:
    """What a bulk decision will do, row by row and in sum. Totals are of the rows that pass, one per currency."""

    operation: Operation
    rows: list[PlannedRow]
    totals: list[Money]
    wallets: list[WalletAfter] = field(default_factory=list)

    @property
    def passing(self) -> list[PlannedRow]:
        """The rows that will pass."""
        return [row for row in self.rows if row.verdict is Row.PASSES]

    @property
    def left_out(self) -> list[PlannedRow]:
        """The rows that will not, each with its sentence."""
        return [row for row in self.rows if row.verdict is not Row.PASSES]

    @property
    def counts(self) -> dict[Row, int]:
        """How many rows there are of each kind, those that pass first."""
        counted = Counter(row.verdict for row in self.rows)
        return {kind: counted[kind] for kind in Row if counted[kind]}

    @property
    def outcome(self) -> str:
        """What happens to the rows that pass: "will be approved"."""
        return OUTCOMES.get(self.operation.name.partition("_")[0], DETAILS_OUTCOME)

    @property
    def summary(self) -> str:
        """ "23 will be approved · 1 your own · 1 changed since you looked": the plan in one line."""
        parts = [f"{count} {WORDS.get(kind, self.outcome)}" for kind, count in self.counts.items()]
        if self.codes:
            parts.insert(1, f"{self.codes} of them {'needs' if self.codes == 1 else 'need'} a code")
        return " · ".join(parts) or "Nothing is selected."

    @property
    def codes(self) -> int:
        """How many of those that pass wait for a one-time code once they are approved."""
        payloads = (getattr(row.subject, "payload", None) or {} for row in self.passing)
        return sum(bool(payload.get("code_required")) for payload in payloads)


def plan(
    actor: Actor, operation: Operation, subjects: Sequence[Any], fingerprints: Mapping[str, str] | None = None
) -> Plan:
    """What deciding on these would do; nothing is written.

    `subjects` are mirrored rows visible to the actor, `fingerprints` what was seen, by remote id (without one, a row
    counts as seen just now).
    """
    if len(subjects) > LARGEST_BULK:
        raise Rejected(f"At most {LARGEST_BULK:,} at once: narrow the selection.", code="too_many_rows")
    seen = fingerprints or {}
    load_described([subject for subject in subjects if isinstance(subject, Approval)])
    deciding = _being_decided(actor, operation, subjects)
    blocks = blocks_of(actor.business, subjects) if is_gated(operation) else {}
    rows = [
        _planned(actor, operation, subject, seen.get(subject.remote_id), deciding, blocks.get(subject.remote_id, []))
        for subject in subjects
    ]
    passing = [row.subject for row in rows if row.verdict is Row.PASSES]
    return Plan(operation, rows, _totals(passing), _wallets_after(actor, operation, passing))


def _planned(
    actor: Actor, operation: Operation, subject: Any, seen: str | None, deciding: set[str], blocks: Sequence[str]
) -> PlannedRow:
    verdict = can(actor, operation, subject)
    waits = subject.status in spec_for(operation).waiting_in
    # Once it is decided nobody has a seat any more: that is what there is to say of it.
    if not verdict and (waits or verdict.rule != "mandate"):
        return PlannedRow(subject, OF_RULE.get(verdict.rule, Row.DENIED), verdict.reason)
    if not waits:
        return PlannedRow(subject, Row.DECIDED, f"It is {subject.status.lower().replace('_', ' ')} already.")
    if seen is not None and (changed := differences(seen, subject)):
        return PlannedRow(subject, Row.CHANGED, "; ".join(str(difference) for difference in changed))
    if subject.remote_id in deciding:
        return PlannedRow(subject, Row.DECIDING, "A decision on it is already in progress.")
    if operation.name.startswith("approve_") and getattr(subject, "risk_level", "") == "CRITICAL":
        return PlannedRow(subject, Row.CRITICAL, "Its risk is critical: open it and decide on it individually.")
    if blocks:
        return PlannedRow(subject, Row.BLOCKED, " ".join(blocks))
    return PlannedRow(subject, Row.PASSES)


def _being_decided(actor: Actor, operation: Operation, subjects: Sequence[Any]) -> set[str]:
    if not subjects:
        return set()
    kind = kind_of(subjects[0])
    open_decisions = Decision.objects.filter(
        business=actor.business,
        object_type=kind,
        object_id__in=[subject.remote_id for subject in subjects],
        state__in=OPEN,
    )
    if is_vote(operation, kind):
        open_decisions = open_decisions.filter(membership_id=actor.member_id)
    return set(open_decisions.values_list("object_id", flat=True))


def _totals(subjects: Iterable[Any]) -> list[Money]:
    sums: Counter[str] = Counter()
    for subject in subjects:
        sums[subject.currency] += subject.amount_minor or 0
    return [Money(minor, currency) for currency, minor in sorted(sums.items()) if currency]


def _wallets_after(actor: Actor, operation: Operation, subjects: Sequence[Any]) -> list[WalletAfter]:
    # An expense is paid already; what is only allowed (a card, a fund, a policy's exception) takes nothing out yet.
    if not operation.name.startswith("approve_"):
        return []
    moved: Counter[tuple[str, str]] = Counter()
    for subject in subjects:
        if movement := money_moved(subject):
            moved[(subject.org_wallet_ref, subject.currency)] += movement
    wallets = visible_wallets(actor).filter(org_wallet_ref__in={ref for ref, _ in moved})
    by_place = {(wallet.org_wallet_ref, wallet.currency): wallet for wallet in wallets.order_by("remote_id")}
    names = {wallet.org_wallet_ref: wallet.name for wallet in wallets}
    after = [
        _after(names.get(ref) or ref or "Unnamed wallet", ref, Money(minor, currency), by_place.get((ref, currency)))
        for (ref, currency), minor in moved.items()
    ]
    return sorted(after, key=lambda wallet: (wallet.name, wallet.ref, wallet.moved.currency))


def _after(name: str, ref: str, moved: Money, wallet: Wallet | None) -> WalletAfter:
    if wallet is None or wallet.available_minor is None:
        return WalletAfter(name, ref, moved, None, None)
    held = wallet.available_minor
    return WalletAfter(name, ref, moved, Money(held, moved.currency), Money(held + moved.minor, moved.currency))
