"""Which bank lines the closing balance of a statement holds: its own and those of the statements before it.

By statement, not by day: a line of the next statement may bear a day of this one (a value date, a file downloaded at noon).
"""

from collections.abc import Sequence
from itertools import groupby

from django.db.models import Q, QuerySet

from service.accounting.models import BankStatement, RepeatedLine, StatementLine
from service.accounts.wallets import Wallet


def in_order(owner: Wallet) -> list[BankStatement]:
    """The statements of a wallet that have balances, one after the other: by their last days, and those of the same one as
    the balances follow each other."""
    rows = BankStatement.objects.filter(wallet=owner, opening_minor__isnull=False)
    ordered: list[BankStatement] = []
    by_day = groupby(rows.order_by("last_day", "first_day", "created_at", "id"), key=lambda row: row.last_day)
    for _, same_day in by_day:
        left = list(same_day)
        while left:
            row = _following(ordered[-1] if ordered else None, left)
            left.remove(row)
            ordered.append(row)
    return ordered


def _following(before: BankStatement | None, left: list[BankStatement]) -> BankStatement:
    """The one that opens with what the one before closed with; else one that none of the others leads to. Of several
    one without movement, which leads on to the others."""
    opening = [row for row in left if before is not None and row.opening_minor == before.closing_minor]
    unled = [row for row in left if all(row.opening_minor != other.closing_minor for other in left if other is not row)]
    return min(opening or unled or left, key=lambda row: row.closing_minor != row.opening_minor)


def first_statement(ordered: Sequence[BankStatement]) -> BankStatement | None:
    """The statement that those of a wallet, in their order, begin with; None where none has balances."""
    return _first(ordered) if ordered else None


def _first(ordered: Sequence[BankStatement]) -> BankStatement:
    """The one before all others, or one around it that begins earlier."""
    return min([ordered[0], *_around(ordered[0], ordered[1:])], key=lambda row: row.first_day)


def held_lines(statement: BankStatement, ordered: Sequence[BankStatement]) -> QuerySet[StatementLine]:
    """The lines that the closing balance holds since the first statement of the wallet: of all statements up to this one, and
    of lists without balances up to its last day. What a later statement that overlaps with this one holds before it counts
    too: the statement of a month beside those of its days. `ordered` are the wallet's statements in their order."""
    place = next(place for place, row in enumerate(ordered) if row.id == statement.id)
    within = [row.id for row in ordered[: place + 1]]
    before_around = _of([row.id for row in _around(statement, ordered[place + 1 :])]) & Q(day__lt=statement.first_day)
    days = (_first(ordered).first_day, statement.last_day)
    without_balances = Q(statement__opening_minor=None, day__range=days)
    lines = StatementLine.objects.filter(wallet=statement.wallet)
    return lines.filter(_of(within) | before_around | without_balances)


def _of(statement_ids: list[str]) -> Q:
    repeated = RepeatedLine.objects.filter(statement_id__in=statement_ids)
    return Q(statement_id__in=statement_ids) | Q(id__in=repeated.values("line_id"))


def _around(statement: BankStatement, later: Sequence[BankStatement]) -> list[BankStatement]:
    """Those of later statements that begin before this one and hold lines of it; all that do, where it has none."""
    earlier_begun = [row for row in later if row.first_day < statement.first_day]
    own = StatementLine.objects.filter(_of([statement.id]), wallet=statement.wallet)
    if not earlier_begun or not own.exists():
        return earlier_begun
    ids = [row.id for row in earlier_begun]
    holding = set(own.filter(statement_id__in=ids).values_list("statement_id", flat=True))
    repeated = RepeatedLine.objects.filter(statement_id__in=ids, line_id__in=own.values("id"))
    holding.update(repeated.values_list("statement_id", flat=True))
    return [row for row in earlier_begun if row.id in holding]
