"""What is unmatched of a wallet on both sides, what may belong together, and what was matched; live."""

from dataclasses import dataclass

from dashboard import operations_accounting
from dashboard.access.actor import Actor
from dashboard.client.page import Page, parsed, read_page, typed
from dashboard.client.reads import Err, Ok, ReadCall, read_live, read_together
from dashboard.errors import NotFound
from dashboard.mirror.models import Wallet
from dashboard.pages.reconciliation.selectors.desk import LIVE_S, REMOTE_ID, DeskFilter, DeskPages, page_place
from dashboard.schemas.reconciliation import BankLine, BankMatch, CertainCount, LedgerEntry, Suggestions

# Of the whole wallet, however many lines it has: only entries of just their amounts are read for it.
CERTAIN_S = 20.0
ROWS_ON_PAGE = 100
SUGGESTIONS_ON_PAGE = 50
MATCHES_ON_PAGE = 20


@dataclass(frozen=True, slots=True)
class Sides:
    """What is unmatched on both sides of a wallet, a page of each, the newest first; `next_seq` is where the entries go on
    after it, 0 for nowhere, `lines_cursor` where the lines do, "" for nowhere."""

    lines: list[BankLine]
    line_total: int
    entries: list[LedgerEntry]
    next_seq: int
    lines_cursor: str = ""


def sides_of(actor: Actor, wallet: Wallet, chosen: DeskFilter, pages: DeskPages) -> Sides:
    """Both unmatched sides: lines of all statements, and entries since the first of them."""
    of_wallet = {"accountref": wallet.org_wallet_ref, "limit": ROWS_ON_PAGE, **chosen.query()}
    query: dict[str, str | int] = {**of_wallet, "status": "UNMATCHED", **page_place(pages.lines, pages.lines_after)}
    page = read_page(read_live(actor, operations_accounting.LIST_BANK_LINES, query=query, deadline=LIVE_S).data)
    entry_query: dict[str, str | int] = {**of_wallet, "since_first_statement": "true"}
    if pages.before_seq:
        entry_query["before_seq"] = pages.before_seq
    answer = read_live(actor, operations_accounting.LIST_UNMATCHED_ENTRIES, query=entry_query, deadline=LIVE_S).data
    lines, entries = typed(page.rows, BankLine), typed(read_page(answer).rows, LedgerEntry)
    return Sides(lines, page.total or len(lines), entries, int(answer.get("next_before_seq") or 0), page.cursor)


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
        "suggestions": ReadCall(operations_accounting.LIST_BANK_SUGGESTIONS, query=query, deadline=LIVE_S),
        "certain": ReadCall(
            operations_accounting.COUNT_CERTAIN_MATCHES, query={"accountref": ref}, deadline=CERTAIN_S
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
        **page_place(pages.matched, pages.matched_after),
    }  # fmt: skip
    page = read_page(read_live(actor, operations_accounting.LIST_BANK_MATCHES, query=query, deadline=LIVE_S).data)
    return typed(page.rows, BankMatch), page


def check_match(actor: Actor, wallet: Wallet, match_id: str) -> None:
    """NotFound where a match is none of the wallet. Raises the FinanceError tree."""
    if not REMOTE_ID.fullmatch(match_id):
        raise NotFound
    query: dict[str, str | int] = {"accountref": wallet.org_wallet_ref, "match_id": match_id}
    page = read_page(read_live(actor, operations_accounting.LIST_BANK_MATCHES, query=query, deadline=LIVE_S).data)
    if not page.rows:
        raise NotFound
