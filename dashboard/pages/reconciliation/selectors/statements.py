"""Statements of banks, live, with their proofs; files between upload and import."""

from collections.abc import Sequence
from uuid import UUID

from dashboard import operations_accounting
from dashboard.access.actor import Actor
from dashboard.bank_statements import csv_table, formats
from dashboard.bank_statements.csv_table import ColumnMapping
from dashboard.bank_statements.models import CsvMapping, StatementDraft
from dashboard.bank_statements.statement import ParsedStatement
from dashboard.client.page import Page, parsed, read_page, typed
from dashboard.client.reads import read_live
from dashboard.commands.reconciliation import wallet_subject
from dashboard.errors import Conflict, NotFound
from dashboard.mirror.models import Wallet
from dashboard.pages.reconciliation.selectors.desk import FIRST_PAGES, LIVE_S, REMOTE_ID, DeskPages, page_place
from dashboard.proposals.models import BANK_DIFFERENCE, BANK_STATEMENT, Proposal
from dashboard.proposals.selectors import open_proposals
from dashboard.proposals.targets import read_bank_statement
from dashboard.schemas.reconciliation import BankStatement, NewBankStatement, Proof, StatementCheck

CHECK_S = 30.0
MOST_STATEMENTS = 50


def statements_of(
    actor: Actor, wallet: Wallet | None = None, pages: DeskPages = FIRST_PAGES
) -> tuple[list[BankStatement], Page]:
    """A page of the statements, the newest first, of one wallet or of all. Raises the FinanceError tree."""
    query: dict[str, str | int] = {"limit": MOST_STATEMENTS, **page_place(pages.statements, pages.statements_after)}
    if wallet is not None:
        query["accountref"] = wallet.org_wallet_ref
    page = read_page(read_live(actor, operations_accounting.LIST_BANK_STATEMENTS, query=query, deadline=LIVE_S).data)
    return typed(page.rows, BankStatement), page


def statement_of_wallet(actor: Actor, wallet: Wallet, statement_id: str) -> BankStatement:
    """One statement of a wallet, however old; NotFound for what is none of it. Raises the FinanceError tree."""
    if not REMOTE_ID.fullmatch(statement_id):
        raise NotFound
    statement = read_bank_statement(actor, statement_id, deadline=LIVE_S)
    if statement.org_wallet_ref != wallet.org_wallet_ref:
        raise NotFound
    return statement


def proven_statement(
    actor: Actor, wallet: Wallet, statements: Sequence[BankStatement], number: int, statement_id: str
) -> BankStatement | None:
    """The statement of that id; where none is named, the latest of the newest ones that has a closing balance, or None.
    `statements` are those of page `number`. Raises the FinanceError tree."""
    if statement_id:
        return statement_of_wallet(actor, wallet, statement_id)
    newest = statements if number == 1 else statements_of(actor, wallet)[0]
    with_balance = [statement for statement in newest if statement.closing_minor is not None]
    return max(with_balance, key=lambda statement: statement.last, default=None)


def proof_of(actor: Actor, statement: BankStatement) -> Proof | None:
    """The proof of a statement; None for one whose file had no balances."""
    if statement.closing_minor is None:
        return None
    path = {"id": statement.id}
    try:
        answer = read_live(actor, operations_accounting.READ_BANK_PROOF, path=path, deadline=LIVE_S)
    except Conflict:
        return None
    return parsed(answer.data, Proof)


def open_acceptance(actor: Actor, wallet: Wallet) -> Proposal | None:
    """The proposal to accept the difference before a wallet's first statement that waits; None where there is none."""
    proposals = open_proposals(actor).filter(target_type=BANK_DIFFERENCE, target_id=wallet.remote_id)
    return proposals.order_by("-pk").first()


def open_removal(actor: Actor, statement: BankStatement) -> Proposal | None:
    """The proposal to take a statement back that waits; None where there is none."""
    return open_proposals(actor).filter(target_type=BANK_STATEMENT, target_id=statement.id).order_by("-pk").first()


def check_of(actor: Actor, wallet: Wallet, new_statement: NewBankStatement) -> StatementCheck:
    """What importing a statement would do. Raises the FinanceError tree."""
    subject = wallet_subject(actor, wallet.org_wallet_ref, wallet.name)
    answer = read_live(
        actor, operations_accounting.CHECK_BANK_STATEMENT, body=new_statement.wire(), subject=subject, deadline=CHECK_S
    )  # fmt: skip
    return parsed(answer.data, StatementCheck)


def draft_of(actor: Actor, draft_id: UUID) -> StatementDraft:
    """A file that the actor has brought; NotFound for any other's, and for one that is gone."""
    row = StatementDraft.objects.filter(business=actor.business, membership_id=actor.member_id, pk=draft_id).first()
    if row is None:
        raise NotFound
    return row


def statement_of(statement_draft: StatementDraft, currency: str) -> ParsedStatement | None:
    """A file as it is read; None for a CSV whose columns or balances its person has not said. StatementError for what cannot be
    read."""
    content = bytes(statement_draft.content)
    if statement_draft.source_format != csv_table.NAME:
        return formats.parse(content, statement_draft.source_format)
    if not statement_draft.columns or statement_draft.opening_minor is None or statement_draft.closing_minor is None:
        return None
    return csv_table.parse(
        content,
        ColumnMapping(**statement_draft.columns),
        currency,
        statement_draft.opening_minor,
        statement_draft.closing_minor,
    )


def csv_columns_of(actor: Actor, key: str) -> dict[str, str]:
    """How a CSV with this header is read; {} where nobody has said."""
    row = CsvMapping.objects.filter(business=actor.business, header_key=key).first()
    return dict(row.columns) if row is not None else {}
