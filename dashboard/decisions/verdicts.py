"""What a bulk decision says of its rows before anything is decided: what passes, what is left out and why, what moves."""

from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from enum import StrEnum
from typing import Any

from dashboard.access.actor import Actor
from dashboard.access.check import can
from dashboard.access.operation import Operation
from dashboard.bulk.actions import RowState, RowVerdict, Seen
from dashboard.bulk.balances import WalletAfter
from dashboard.decisions.described_requests import load_described
from dashboard.decisions.models import OPEN_DECISION_STATES, Decision
from dashboard.decisions.movements import WalletMovement, load_fund_movements, wallet_movement_of
from dashboard.decisions.preconditions import blocks_of, can_be_blocked, differences
from dashboard.decisions.reconcile import decided_payload, names_at, upstream_state
from dashboard.decisions.registry import is_vote, kind_of, spec_for
from dashboard.mirror.models import Approval
from dashboard.mirror.scopes import visible_wallets
from dashboard.money import Money


class LeftOut(StrEnum):
    """Why a row is left out, as the plan counts it, in the order in which it does; the audit's code of one that the gate
    left out is its name in small letters."""

    OWN = "your own"
    CHANGED = "changed since you looked"
    DECIDED = "no longer waiting"
    DECIDING = "already being decided"
    READ_ONLY = "of a team you review read-only"
    VOTED = "outside your mandate"
    CRITICAL = "critical risk, decided one by one"
    BLOCKED = "blocked by policy"
    DENIED = "not permitted to you"


OF_RULE = {"not_own": LeftOut.OWN, "not_read_only": LeftOut.READ_ONLY, "mandate": LeftOut.VOTED}
# The remark on a row that passes, and waits for a one-time code once it is approved.
NEEDS_CODE = "needs a code"


def verdicts_on(
    actor: Actor, operation: Operation, subjects: Sequence[Any], seen: Mapping[str, Seen]
) -> list[RowVerdict]:
    """Whether the operation may be done to each of these, in their order; nothing is written.

    `subjects` are mirrored rows visible to the actor, `seen` their fingerprints, by remote id: one without counts as seen
    just now.
    """
    load_described([subject for subject in subjects if isinstance(subject, Approval)])
    deciding = _being_decided(actor, operation, subjects)
    blocks = blocks_of(actor.business, subjects) if can_be_blocked(operation) else {}
    name_of = names_at(actor.business)
    return [
        _verdict(actor, operation, subject, seen.get(subject.remote_id), deciding, blocks.get(subject.remote_id, []))
        if subject.status in spec_for(operation).waiting_in
        else _verdict_on_decided(actor, operation, subject, name_of)
        for subject in subjects
    ]


def left_out(why: LeftOut, sentence: str, *, denied: bool = False) -> RowVerdict:
    """The verdict on a row that is left out."""
    return RowVerdict(RowState.LEFT_OUT, why, sentence, denied)


def _verdict(
    actor: Actor, operation: Operation, subject: Any, seen: Seen | None, deciding: set[str], blocks: Sequence[str]
) -> RowVerdict:
    if not (verdict := can(actor, operation, subject)):
        return left_out(OF_RULE.get(verdict.rule, LeftOut.DENIED), verdict.reason, denied=True)
    if seen is not None and (changed := differences(str(seen), subject)):
        return left_out(LeftOut.CHANGED, "; ".join(str(difference) for difference in changed))
    if subject.remote_id in deciding:
        return left_out(LeftOut.DECIDING, "A decision on it is already in progress.")
    if operation.name.startswith("approve_") and getattr(subject, "risk_level", "") == "CRITICAL":
        return left_out(LeftOut.CRITICAL, "Its risk is critical: open it and decide on it individually.")
    if blocks:
        return left_out(LeftOut.BLOCKED, " ".join(blocks))
    return RowVerdict(why=NEEDS_CODE if _needs_code(subject) else "")


def _verdict_on_decided(actor: Actor, operation: Operation, subject: Any, name_of: Callable[[Any], str]) -> RowVerdict:
    """Who was faster, as far as the copy knows it."""
    verdict = can(actor, operation, subject)
    # Once it is decided nobody has a seat any more: who was faster is what its loser wants to know.
    if not verdict and verdict.rule != "mandate":
        return left_out(OF_RULE.get(verdict.rule, LeftOut.DENIED), verdict.reason, denied=True)
    state = upstream_state(
        actor.business, operation, decided_payload(subject),
        employee_id=actor.employee_id, vote=is_vote(operation, kind_of(subject)), name_of=name_of,
    )  # fmt: skip
    return left_out(LeftOut.DECIDED, state.sentence)


def _needs_code(subject: Any) -> bool:
    return bool((getattr(subject, "payload", None) or {}).get("code_required"))


def _being_decided(actor: Actor, operation: Operation, subjects: Sequence[Any]) -> set[str]:
    if not subjects:
        return set()
    kind = kind_of(subjects[0])
    open_decisions = Decision.objects.filter(
        business=actor.business,
        object_type=kind,
        object_id__in=[subject.remote_id for subject in subjects],
        state__in=OPEN_DECISION_STATES,
    )
    if is_vote(operation, kind):
        open_decisions = open_decisions.filter(membership_id=actor.member_id)
    return set(open_decisions.values_list("object_id", flat=True))


def wallets_after(actor: Actor, operation: Operation, subjects: Sequence[Any]) -> list[WalletAfter]:
    """What wallets hold once the operation is done to all of these (as of the copy's last balance), their fees
    paid too."""
    # An expense is paid already; what is only allowed (a card, a fund, a policy's exception) takes nothing out yet.
    if not operation.name.startswith("approve_"):
        return []
    votes = [subject for subject in subjects if isinstance(subject, Approval)]
    load_described(votes)
    load_fund_movements(votes)
    movements: defaultdict[tuple[str, str], list[WalletMovement]] = defaultdict(list)
    for subject in subjects:
        if (movement := wallet_movement_of(subject)) is not None:
            movements[subject.org_wallet_ref, subject.currency].append(movement)
    wallets = visible_wallets(actor).filter(org_wallet_ref__in={ref for ref, _ in movements})
    by_place = {(wallet.org_wallet_ref, wallet.currency): wallet for wallet in wallets.order_by("remote_id")}
    names = {wallet.org_wallet_ref: wallet.name for wallet in wallets}
    after = []
    for (ref, currency), of_wallet in movements.items():
        wallet = by_place.get((ref, currency))
        # What is on hold already is not in the available balance any more.
        seen = wallet.last_seen if wallet is not None else None
        moved = Money(sum(movement.still_to_come(seen) for movement in of_wallet), currency)
        is_before_fees = not all(movement.knows_fees for movement in of_wallet)
        held = wallet.available_minor if wallet is not None else None
        name = names.get(ref) or ref or "Unnamed wallet"
        after.append(WalletAfter.moving(name, ref, moved, held, is_before_fees=is_before_fees))
    return sorted(after, key=lambda wallet: (wallet.name, wallet.ref, wallet.moved.currency))
