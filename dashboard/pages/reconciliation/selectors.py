"""What is read for reconciliation: wallets from the copy, statements, lines, entries and matches live, our own files."""

from dataclasses import dataclass
from uuid import UUID

from dashboard import operations_extra
from dashboard.access.actor import Actor
from dashboard.bank_statements.models import CsvMapping, StatementDraft
from dashboard.client.page import Page, parsed, read_page, typed
from dashboard.client.reads import read_live
from dashboard.commands.reconciliation import wallet_subject
from dashboard.errors import Conflict, NotFound
from dashboard.mirror.models import Wallet
from dashboard.mirror.scopes import visible_wallets
from dashboard.schemas.base import JsonObject
from dashboard.schemas.reconciliation import (
    BankLine,
    BankMatch,
    BankRule,
    BankStatement,
    LedgerEntry,
    Proof,
    StatementCheck,
    Suggestions,
)

LIVE_S = 8.0
CHECK_S = 30.0
MOST_ROWS = 100
MOST_SUGGESTIONS = 50
MOST_MATCHES = 20
MOST_STATEMENTS = 50


@dataclass(frozen=True, slots=True)
class Sides:
    """What is unmatched on both sides of a wallet, up to a page of each; `more_entries` that there are others."""

    lines: list[BankLine]
    line_total: int
    entries: list[LedgerEntry]
    more_entries: bool


def wallets_of(actor: Actor) -> list[Wallet]:
    """The wallets that the actor sees, by currency and name."""
    return list(visible_wallets(actor).order_by("currency", "name", "org_wallet_ref"))


def wallet_of(actor: Actor, wallet_id: str) -> Wallet:
    """One of them; NotFound for any other."""
    row = visible_wallets(actor).filter(remote_id=wallet_id).first()
    if row is None:
        raise NotFound
    return row


def statements_of(actor: Actor, wallet: Wallet | None = None) -> tuple[list[BankStatement], Page]:
    """The newest statements, of one wallet or of all. Raises the FinanceError tree."""
    query: dict[str, str | int] = {"limit": MOST_STATEMENTS}
    if wallet is not None:
        query["accountref"] = wallet.org_wallet_ref
    page = read_page(read_live(actor, operations_extra.LIST_BANK_STATEMENTS, query=query, deadline=LIVE_S).data)
    return typed(page.rows, BankStatement), page


def proof_of(actor: Actor, statement: BankStatement) -> Proof | None:
    """The proof of a statement; None for one whose file had no balances."""
    if statement.closing_minor is None:
        return None
    path = {"id": statement.id}
    try:
        answer = read_live(actor, operations_extra.READ_BANK_PROOF, path=path, deadline=LIVE_S)
    except Conflict:
        return None
    return parsed(answer.data, Proof)


def sides_of(actor: Actor, wallet: Wallet, statements: list[BankStatement]) -> Sides:
    """Both unmatched sides: lines of all statements, and entries since the first of them."""
    query: dict[str, str | int] = {
        "accountref": wallet.org_wallet_ref, "status": "UNMATCHED", "limit": MOST_ROWS,
    }  # fmt: skip
    page = read_page(read_live(actor, operations_extra.LIST_BANK_LINES, query=query, deadline=LIVE_S).data)
    entry_query: dict[str, str | int] = {"accountref": wallet.org_wallet_ref, "limit": MOST_ROWS}
    if statements:
        entry_query["from"] = min(statement.first for statement in statements).isoformat()
    answer = read_live(actor, operations_extra.LIST_UNMATCHED_ENTRIES, query=entry_query, deadline=LIVE_S).data
    lines = sorted(typed(page.rows, BankLine), key=lambda line: (line.day, line.id))
    entries = typed(read_page(answer).rows, LedgerEntry)
    more = bool(answer.get("next_before_seq"))
    return Sides(lines, page.total or len(lines), entries[::-1], more)


def suggestions_of(actor: Actor, wallet: Wallet, tolerance_minor: int) -> Suggestions:
    """What the unmatched lines may be, the surest first."""
    query: dict[str, str | int] = {
        "accountref": wallet.org_wallet_ref, "tolerance_minor": tolerance_minor, "limit": MOST_SUGGESTIONS,
    }  # fmt: skip
    answer = read_live(actor, operations_extra.LIST_BANK_SUGGESTIONS, query=query, deadline=LIVE_S)
    return parsed(answer.data, Suggestions)


def matches_of(actor: Actor, wallet: Wallet) -> tuple[list[BankMatch], Page]:
    """The newest matches of a wallet."""
    query: dict[str, str | int] = {"accountref": wallet.org_wallet_ref, "limit": MOST_MATCHES}
    page = read_page(read_live(actor, operations_extra.LIST_BANK_MATCHES, query=query, deadline=LIVE_S).data)
    return typed(page.rows, BankMatch), page


def rules_of(actor: Actor) -> list[BankRule]:
    """The stored rules, in the order in which they are tried."""
    return typed(read_page(read_live(actor, operations_extra.LIST_BANK_RULES, deadline=LIVE_S).data).rows, BankRule)


def rule_of(actor: Actor, rule_id: str) -> BankRule:
    """One of them; NotFound for any other."""
    row = next((rule for rule in rules_of(actor) if rule.id == rule_id), None)
    if row is None:
        raise NotFound
    return row


def check_of(actor: Actor, wallet: Wallet, body: JsonObject) -> StatementCheck:
    """What importing a statement would do. Raises the FinanceError tree."""
    subject = wallet_subject(actor, wallet.org_wallet_ref, wallet.name)
    answer = read_live(
        actor, operations_extra.CHECK_BANK_STATEMENT, body=body, subject=subject, deadline=CHECK_S
    )  # fmt: skip
    return parsed(answer.data, StatementCheck)


def draft_of(actor: Actor, draft_id: UUID) -> StatementDraft:
    """A file that the actor has brought; NotFound for any other's, and for one that is gone."""
    row = StatementDraft.objects.filter(business=actor.business, membership_id=actor.member_id, pk=draft_id).first()
    if row is None:
        raise NotFound
    return row


def columns_of(actor: Actor, key: str) -> dict[str, str]:
    """How a CSV with this header is read; {} where nobody has said."""
    row = CsvMapping.objects.filter(business=actor.business, header_key=key).first()
    return dict(row.columns) if row is not None else {}
