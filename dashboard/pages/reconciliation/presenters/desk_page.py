"""The desk of a wallet as a whole: what is read of it, its forms, and what the actor may change of it."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TypedDict

from dashboard import operations_accounting
from dashboard.access.actor import Actor
from dashboard.mirror.models import Wallet
from dashboard.pages.reconciliation.forms import DeskFilterForm, DifferenceForm, MatchForm, RemovalForm
from dashboard.pages.reconciliation.presenters import desk, proofs
from dashboard.pages.reconciliation.presenters.selection import (
    SelectionText,
    page_rows_text,
    selection_text,
    with_amounts,
)
from dashboard.pages.reconciliation.presenters.statements import StatementRow, may_change, statement_rows, wallet_title
from dashboard.pages.reconciliation.selectors.desk import DeskPages, MatchSelection
from dashboard.pages.reconciliation.selectors.matches import matches_of, sides_of, suggestions_of
from dashboard.pages.reconciliation.selectors.statements import (
    open_acceptance,
    open_removal,
    proof_of,
    proven_statement,
    statements_of,
)
from dashboard.proposals.models import Proposal
from dashboard.proposals.snapshots import difference_of
from dashboard.schemas.reconciliation import BankStatement


@dataclass(frozen=True, kw_only=True, slots=True)
class DeskForms:
    """The forms of a desk: its filter, what is ticked to be matched, and those of the proof that were not taken as they were
    typed."""

    filter: DeskFilterForm
    match: MatchForm
    difference: DifferenceForm | None = None
    removal: RemovalForm | None = None


class DeskProof(TypedDict):
    """What a desk shows of the proof; `accept_form` where the difference before the first statement can be accepted,
    `withdraw_form` where its acceptance can be withdrawn, `waiting` the proposal to do either (`is_withdrawal`: the latter),
    `problem` why it was not where there is no such form any more."""

    proof: proofs.ProofText | None
    accept_form: DifferenceForm | None
    withdraw_form: DifferenceForm | None
    problem: str
    waiting: Proposal | None
    is_withdrawal: bool


class DeskStatement(TypedDict):
    """The statement that the proof of a desk is of, `statement_id` "" for none; `removal_form` takes it back, `removal_waiting`
    is the proposal to do so."""

    statement_id: str
    statement: StatementRow | None
    removal_form: RemovalForm | None
    removal_waiting: Proposal | None


class DeskContext(desk.DeskLists, desk.DeskPagers, desk.DeskSuggestions, DeskProof, DeskStatement):
    """What reconciliation/desk.html reads; `page_rows` are the rows of this page, signed."""

    wallet: Wallet
    title: str
    statements: list[StatementRow]
    filter_form: DeskFilterForm
    may_change: bool
    form: MatchForm
    page_rows: str
    selected: SelectionText | None
    key: str


def wallet_desk_context(
    actor: Actor, wallet: Wallet, desk_forms: DeskForms, selection: MatchSelection, pages: DeskPages,
    query: Mapping[str, str], key: str,
) -> DeskContext:  # fmt: skip
    """What the desk shows of a wallet; `query` is what its address says and was understood. NotFound where that names no
    statement of the wallet; raises the FinanceError tree."""
    form, chosen = desk_forms.match, desk_forms.filter.read()
    statements, statement_page = statements_of(actor, wallet, pages)
    statement = proven_statement(actor, wallet, statements, pages.statements, query.get("statement", ""))
    proof = _proof_parts(actor, wallet, statement, desk_forms.difference)
    sides = sides_of(actor, wallet, chosen, pages)
    suggested = suggestions_of(actor, wallet, chosen, pages)
    matched, matched_page = matches_of(actor, wallet, chosen, pages)
    return {
        "wallet": wallet,
        "title": wallet_title(wallet),
        "statements": statement_rows(actor, statements, [wallet]),
        "filter_form": desk_forms.filter,
        "may_change": may_change(actor),
        "form": form,
        "page_rows": page_rows_text(wallet, sides),
        "selected": selection_text(actor, with_amounts(form, selection, sides), wallet.currency),
        "key": key,
        **proof,
        **_statement_parts(actor, wallet, statement, desk_forms.removal),
        **desk.desk_suggestions(suggested, query, pages, chosen.last),
        **desk.desk_lists(actor, wallet, form, sides, suggested, matched, matched_page.total or len(matched)),
        **desk.desk_pagers(query, pages, sides, suggested.suggestions, matched_page, statement_page),
    }


def _proof_parts(
    actor: Actor, wallet: Wallet, statement: BankStatement | None, difference_form: DifferenceForm | None
) -> DeskProof:
    proof = proof_of(actor, statement) if statement else None
    waiting = open_acceptance(actor, wallet)
    may_decide = may_change(actor) and waiting is None
    may_accept = may_decide and proof is not None and proofs.is_unaccepted(proof)
    may_withdraw = may_decide and proof is not None and proofs.is_accepted(proof)
    form = difference_form or DifferenceForm(initial=dict(difference_of(proof)) if proof else {})
    is_over = difference_form is not None and not (may_accept or may_withdraw)
    withdrawal = operations_accounting.WITHDRAW_BANK_DIFFERENCE.name
    return {
        "proof": proofs.proof_text(actor, proof),
        "accept_form": form if may_accept else None,
        "withdraw_form": form if may_withdraw else None,
        "problem": " ".join(map(str, form.non_field_errors())) if is_over else "",
        "waiting": waiting,
        "is_withdrawal": waiting is not None and waiting.operation == withdrawal,
    }


def _statement_parts(
    actor: Actor, wallet: Wallet, statement: BankStatement | None, removal_form: RemovalForm | None
) -> DeskStatement:
    if statement is None:
        return {"statement_id": "", "statement": None, "removal_form": None, "removal_waiting": None}
    return {
        "statement_id": statement.id,
        "statement": statement_rows(actor, [statement], [wallet])[0],
        "removal_form": (removal_form or RemovalForm()) if may_change(actor) else None,
        "removal_waiting": open_removal(actor, statement),
    }
