"""The proof of a statement, as the desk and its own page show it."""

from collections.abc import Callable
from dataclasses import dataclass

from dashboard import operations_accounting
from dashboard.access.actor import Actor
from dashboard.access.operation import Operation
from dashboard.mirror.models import Employee
from dashboard.money import text
from dashboard.schemas.reconciliation import Proof
from dashboard.times import day_and_time


@dataclass(frozen=True, slots=True)
class DifferenceChange:
    """What becomes of a difference before the first statement: the operation, what a proposal of it says and what follows, and
    what is said once it is done. The sentence has a gap for the amount, `{difference}`."""

    operation: Operation
    sentence: str
    consequence: str
    done: str


ACCEPTED = DifferenceChange(
    operations_accounting.ACCEPT_BANK_DIFFERENCE,
    "Bank and books differed by {difference} before the first statement: that is accepted.",
    "The proof of the wallet's statements names it, and holds with it.",
    "The difference was accepted.",
)
WITHDRAWN = DifferenceChange(
    operations_accounting.WITHDRAW_BANK_DIFFERENCE,
    "That bank and books differed by {difference} before the first statement is no longer accepted.",
    "The proof of the wallet's statements no longer holds, until it is accepted again or explained.",
    "The acceptance was withdrawn.",
)


@dataclass(frozen=True, slots=True)
class ProofText:
    """The proof as a sentence, and why it is none: what is missing of it, what bank and books differed by before it began and
    nobody accepted; and who accepted what of that, and why."""

    proven: bool
    sentence: str
    missing: str
    carried: str
    accepted: str


def proof_text(actor: Actor, proof: Proof | None) -> ProofText | None:
    """ "Closing balance KES 90.00 = books KES 100.00 + 1 unmatched bank line KES -10.00 - 0 unmatched entries KES 0.00"."""
    if proof is None:
        return None

    def money(minor: int) -> str:
        return text(minor, proof.currency, actor.business.locale)

    line_word = "unmatched bank line" if proof.unmatched_line_count == 1 else "unmatched bank lines"
    entry_word = "unmatched entry" if proof.unmatched_entry_count == 1 else "unmatched entries"
    parts = [
        f"Closing balance {money(proof.closing_minor)} = books {money(proof.books_minor)}",
        f"+ {proof.unmatched_line_count:,} {line_word} {money(proof.unmatched_lines_minor)}",
        f"− {proof.unmatched_entry_count:,} {entry_word} {money(proof.unmatched_entries_minor)}",
    ]
    if proof.fees_minor:
        parts.append(f"+ fees within tolerance {money(proof.fees_minor)}")
    accepted = proof.accepted if proof.accepted and proof.accepted.amount_minor == proof.carried_minor else None
    if proof.carried_minor:
        word = "accepted difference" if accepted else "difference"
        parts.append(f"+ {word} before the first statement {money(proof.carried_minor)}")
    missing = money(proof.missing_minor) if proof.missing_minor else ""
    carried = money(proof.carried_minor) if proof.carried_minor and not accepted else ""
    return ProofText(proof.proven, " ".join(parts), missing, carried, _accepted_text(actor, proof, money))


def _accepted_text(actor: Actor, proof: Proof, money: Callable[[int], str]) -> str:
    accepted = proof.accepted
    if accepted is None:
        return ""
    ids = {accepted.accepted_by, accepted.proposed_by} - {""}
    names = dict(Employee.objects.filter(business=actor.business, remote_id__in=ids).values_list("remote_id", "name"))
    who = names.get(accepted.accepted_by, accepted.accepted_by)
    proposer = f", proposed by {names.get(accepted.proposed_by, accepted.proposed_by)}" if accepted.proposed_by else ""
    on = f" on {day_and_time(accepted.accepted_at, actor.business)}" if accepted.accepted_at else ""
    past = (
        "" if accepted.amount_minor == proof.carried_minor else " It is another difference now: this no longer counts."
    )
    return f"{money(accepted.amount_minor)} accepted by {who}{on}{proposer}: {accepted.reason.rstrip('.')}.{past}"


def is_unaccepted(proof: Proof) -> bool:
    """Whether bank and books differed before the first statement by what nobody has accepted."""
    return proof.carried_minor != (proof.accepted.amount_minor if proof.accepted else 0)


def is_accepted(proof: Proof) -> bool:
    """Whether what bank and books differed by before the first statement is just what somebody accepted."""
    return proof.accepted is not None and proof.carried_minor == proof.accepted.amount_minor
