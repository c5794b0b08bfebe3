"""What is read for reconciliation: wallets from the copy, statements, lines, entries and matches live, our own files."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from uuid import UUID

from django.http import HttpRequest

from dashboard import operations_extra
from dashboard.access.actor import Actor
from dashboard.bank_statements.models import CsvMapping, StatementDraft
from dashboard.client.page import Page, parsed, read_page, typed
from dashboard.client.reads import Err, Ok, ReadCall, read_live, read_together
from dashboard.commands.reconciliation import wallet_subject
from dashboard.errors import Conflict, NotFound
from dashboard.inputs import DAY, LARGEST_MINOR, page_number, whole_number
from dashboard.mirror.models import Wallet
from dashboard.mirror.scopes import visible_wallets
from dashboard.proposals.models import BANK_DIFFERENCE, BANK_STATEMENT, Proposal
from dashboard.proposals.selectors import open_proposals
from dashboard.proposals.targets import read_bank_statement
from dashboard.schemas.reconciliation import (
    BankLine,
    BankMatch,
    BankRule,
    BankStatement,
    CertainCount,
    LedgerEntry,
    NewBankStatement,
    Proof,
    StatementCheck,
    Suggestions,
)

LIVE_S = 8.0
# Of the whole wallet, however many lines it has: only entries of just their amounts are read for it.
CERTAIN_S = 20.0
CHECK_S = 30.0
ROWS_ON_PAGE = 100
SUGGESTIONS_ON_PAGE = 50
MATCHES_ON_PAGE = 20
MOST_STATEMENTS = 50
CURSOR = re.compile(r"[A-Za-z0-9_-]{1,400}")
REMOTE_ID = re.compile(r"[0-9a-f]{24}")
# How many rows of a side are matched at once.
MOST_OF_A_SIDE = 100
# Where the session has what is ticked, by wallet.
SELECTED = "reconciliation_selected"


@dataclass(frozen=True, slots=True)
class DeskFilter:
    """Which rows of a desk are shown: of a text, an amount in minor units in or out, and days; and by how much the sums of what
    is suggested may differ."""

    text: str = ""
    amount_minor: int | None = None
    first: date | None = None
    last: date | None = None
    tolerance_minor: int = 0

    def query(self) -> dict[str, str | int]:
        """As the service's lists are asked for it."""
        conditions: dict[str, str | int | None] = {
            "search": self.text or None, "amount_minor": self.amount_minor,
            "from": self.first.isoformat() if self.first else None, "to": self.last.isoformat() if self.last else None,
        }  # fmt: skip
        return {name: value for name, value in conditions.items() if value is not None}


@dataclass(frozen=True, slots=True)
class DeskPages:
    """Which page of each list of a desk is shown; entries go on below `before_seq`, 0 for the newest, the others behind a cursor,
    "" where only the number of the page is known. Suggestions are those of the window of days that begins with `window`, "" for the
    oldest."""

    lines: int = 1
    before_seq: int = 0
    suggested: int = 1
    matched: int = 1
    statements: int = 1
    lines_after: str = ""
    matched_after: str = ""
    suggested_after: str = ""
    statements_after: str = ""
    window: str = ""


FIRST = DeskPages()


def pages_of(sent: Mapping[str, str]) -> DeskPages:
    """The pages that an address asks for; the first of each for what is none."""
    numbers = {name: page_number(sent, name=name) for name in ("lines", "suggested", "matched", "statements")}
    return DeskPages(
        **numbers,
        lines_after=_cursor(sent.get("lines_after", "")),
        matched_after=_cursor(sent.get("matched_after", "")),
        suggested_after=_cursor(sent.get("suggested_after", "")),
        statements_after=_cursor(sent.get("statements_after", "")),
        before_seq=whole_number(sent.get("before", ""), LARGEST_MINOR) or 0,
        window=_day(sent.get("window", "")),
    )


def _day(text: str) -> str:
    try:
        return date.fromisoformat(text).isoformat() if DAY.fullmatch(text) else ""
    except ValueError:
        return ""


def _cursor(text: str) -> str:
    return text if CURSOR.fullmatch(text) else ""


@dataclass(frozen=True, slots=True)
class MatchSelection:
    """What is ticked of a wallet's desk, over all its pages: bank lines by their ids and entries by their seq as text, each with
    its amount in minor units."""

    lines: dict[str, int]
    entries: dict[str, int]


NOTHING = MatchSelection({}, {})


def match_selection(request: HttpRequest, wallet: Wallet) -> MatchSelection:
    """What the person of this session has ticked of the wallet's desk."""
    stored = request.session.get(SELECTED, {}).get(wallet.remote_id, {})
    return MatchSelection(dict(stored.get("lines", {})), dict(stored.get("entries", {})))


@dataclass(frozen=True, slots=True)
class Sides:
    """What is unmatched on both sides of a wallet, a page of each, the newest first; `next_seq` is where the entries go on
    after it, 0 for nowhere, `lines_cursor` where the lines do, "" for nowhere."""

    lines: list[BankLine]
    line_total: int
    entries: list[LedgerEntry]
    next_seq: int
    lines_cursor: str = ""


def wallets_of(actor: Actor) -> list[Wallet]:
    """The wallets that the actor sees, by currency and name."""
    return list(visible_wallets(actor).order_by("currency", "name", "org_wallet_ref"))


def wallet_of(actor: Actor, wallet_id: str) -> Wallet:
    """One of them; NotFound for any other."""
    row = visible_wallets(actor).filter(remote_id=wallet_id).first()
    if row is None:
        raise NotFound
    return row


def statements_of(
    actor: Actor, wallet: Wallet | None = None, pages: DeskPages = FIRST
) -> tuple[list[BankStatement], Page]:
    """A page of the statements, the newest first, of one wallet or of all. Raises the FinanceError tree."""
    query: dict[str, str | int] = {"limit": MOST_STATEMENTS, **_place(pages.statements, pages.statements_after)}
    if wallet is not None:
        query["accountref"] = wallet.org_wallet_ref
    page = read_page(read_live(actor, operations_extra.LIST_BANK_STATEMENTS, query=query, deadline=LIVE_S).data)
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
        answer = read_live(actor, operations_extra.READ_BANK_PROOF, path=path, deadline=LIVE_S)
    except Conflict:
        return None
    return parsed(answer.data, Proof)


def sides_of(actor: Actor, wallet: Wallet, chosen: DeskFilter, pages: DeskPages) -> Sides:
    """Both unmatched sides: lines of all statements, and entries since the first of them."""
    of_wallet = {"accountref": wallet.org_wallet_ref, "limit": ROWS_ON_PAGE, **chosen.query()}
    query: dict[str, str | int] = {**of_wallet, "status": "UNMATCHED", **_place(pages.lines, pages.lines_after)}
    page = read_page(read_live(actor, operations_extra.LIST_BANK_LINES, query=query, deadline=LIVE_S).data)
    entry_query: dict[str, str | int] = {**of_wallet, "since_first_statement": "true"}
    if pages.before_seq:
        entry_query["before_seq"] = pages.before_seq
    answer = read_live(actor, operations_extra.LIST_UNMATCHED_ENTRIES, query=entry_query, deadline=LIVE_S).data
    lines, entries = typed(page.rows, BankLine), typed(read_page(answer).rows, LedgerEntry)
    return Sides(lines, page.total or len(lines), entries, int(answer.get("next_before_seq") or 0), page.cursor)


def _place(number: int, cursor: str) -> dict[str, str | int]:
    """Where a page of a list begins: behind the cursor, by key; by its number alone where there is none."""
    return {"cursor": cursor} if cursor else {"page": number}


@dataclass(frozen=True, slots=True)
class SuggestedMatches:
    """What the unmatched lines may be: a page of it, or why there is none; and how many matches are certain, None where that is not
    known, and how many lines were not looked at for it. One may be there without the other."""

    suggestions: Suggestions
    problem: str
    certain: int | None
    certain_left_out: int = 0


def suggestions_of(actor: Actor, wallet: Wallet, chosen: DeskFilter, pages: DeskPages) -> SuggestedMatches:
    """A page of what the unmatched lines of a window of days may be, the surest first, and how many matches of the whole wallet are
    certain: asked for at once, so that these can be accepted whatever the suggestions take."""
    after, ref = pages.suggested_after, wallet.org_wallet_ref
    query: dict[str, str | int] = {
        "accountref": ref, "tolerance_minor": chosen.tolerance_minor, "limit": SUGGESTIONS_ON_PAGE,
        **({"after": after} if after else {"page": pages.suggested}), **chosen.query(),
        **({"window": pages.window} if pages.window else {}),
    }  # fmt: skip
    reads = {
        "suggestions": ReadCall(operations_extra.LIST_BANK_SUGGESTIONS, query=query, deadline=LIVE_S),
        "certain": ReadCall(
            operations_extra.COUNT_CERTAIN_MATCHES, query={"accountref": ref}, deadline=CERTAIN_S
        ),
    }  # fmt: skip
    results = read_together(actor, reads)
    suggested, counted = results["suggestions"], results["certain"]
    count = parsed(counted.answer.data, CertainCount) if isinstance(counted, Ok) else None
    certain, left_out = (count.certain, count.left_out) if count else (None, 0)
    if isinstance(suggested, Err):
        return SuggestedMatches(
            Suggestions(docs=[], total=0, certain=0), suggested.error.user_message, certain, left_out
        )
    return SuggestedMatches(parsed(suggested.answer.data, Suggestions), "", certain, left_out)


def matches_of(actor: Actor, wallet: Wallet, chosen: DeskFilter, pages: DeskPages) -> tuple[list[BankMatch], Page]:
    """A page of the matches of a wallet, the newest first."""
    query: dict[str, str | int] = {
        "accountref": wallet.org_wallet_ref, "limit": MATCHES_ON_PAGE, **chosen.query(),
        **_place(pages.matched, pages.matched_after),
    }  # fmt: skip
    page = read_page(read_live(actor, operations_extra.LIST_BANK_MATCHES, query=query, deadline=LIVE_S).data)
    return typed(page.rows, BankMatch), page


def check_match(actor: Actor, wallet: Wallet, match_id: str) -> None:
    """NotFound where a match is none of the wallet. Raises the FinanceError tree."""
    if not REMOTE_ID.fullmatch(match_id):
        raise NotFound
    query: dict[str, str | int] = {"accountref": wallet.org_wallet_ref, "match_id": match_id}
    page = read_page(read_live(actor, operations_extra.LIST_BANK_MATCHES, query=query, deadline=LIVE_S).data)
    if not page.rows:
        raise NotFound


def open_acceptance(actor: Actor, wallet: Wallet) -> Proposal | None:
    """The proposal to accept the difference before a wallet's first statement that waits; None where there is none."""
    proposals = open_proposals(actor).filter(target_type=BANK_DIFFERENCE, target_id=wallet.remote_id)
    return proposals.order_by("-pk").first()


def open_removal(actor: Actor, statement: BankStatement) -> Proposal | None:
    """The proposal to take a statement back that waits; None where there is none."""
    return open_proposals(actor).filter(target_type=BANK_STATEMENT, target_id=statement.id).order_by("-pk").first()


def rules_of(actor: Actor) -> list[BankRule]:
    """The stored rules, in the order in which they are tried."""
    return typed(read_page(read_live(actor, operations_extra.LIST_BANK_RULES, deadline=LIVE_S).data).rows, BankRule)


def bank_rule_of(actor: Actor, rule_id: str) -> BankRule:
    """One of them; NotFound for any other."""
    row = next((rule for rule in rules_of(actor) if rule.id == rule_id), None)
    if row is None:
        raise NotFound
    return row


def check_of(actor: Actor, wallet: Wallet, new_statement: NewBankStatement) -> StatementCheck:
    """What importing a statement would do. Raises the FinanceError tree."""
    subject = wallet_subject(actor, wallet.org_wallet_ref, wallet.name)
    answer = read_live(
        actor, operations_extra.CHECK_BANK_STATEMENT, body=new_statement.wire(), subject=subject, deadline=CHECK_S
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
