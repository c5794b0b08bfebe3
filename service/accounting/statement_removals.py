"""An imported statement taken back: of the wrong wallet, with wrong days or signs. Nothing that is matched or closed goes."""

from collections import Counter

from django.db import transaction
from django.db.models import Max
from django.utils import timezone

from service import errors
from service.accounting.matches import lock_wallet
from service.accounting.models import BankStatement, LineStatus, RepeatedLine, StatementLine
from service.accounting.periods import closed_until
from service.accounting.proofs import check_proposer
from service.auth import Caller
from service.events.audit import record_audit


def remove_statement(caller: Caller, statement: BankStatement, reason: str, proposed_by: str = "") -> BankStatement:
    """Removes a statement with the lines that it alone holds; those that another one holds too stay with that one. Answers
    it as it was.

    409 where a line of it is matched, or the books are closed up to a day of it; 404 for a proposer who is none or a statement
    that is gone, 403 self_approval_forbidden for one who removes it too.
    """
    check_proposer(caller, proposed_by, "Whoever proposed to remove a statement does not remove it.")
    with transaction.atomic():
        lock_wallet(statement.wallet)
        row = BankStatement.objects.select_related("wallet").filter(pk=statement.pk).first()
        if row is None:
            raise errors.not_found("bank statement")
        closed = closed_until(caller)
        if closed and row.first_day <= closed:
            raise errors.invalid_state(f"The books are closed up to {closed}: what lies before it stays as it is.")
        moved = _give_away(row)
        matched = row.lines.filter(status=LineStatus.MATCHED).count()
        if matched:
            raise errors.invalid_state(f"{matched} of its lines are matched: undo their matches first.")
        removed = row.lines.count()
        before = {
            "file_name": row.file_name, "sha256": row.sha256, "wallet": row.wallet_id, "account": row.account,
            "from": str(row.first_day), "to": str(row.last_day), "lines": removed, "kept_by_others": moved,
        }  # fmt: skip
        after = {"reason": reason, "proposed_by": proposed_by}
        record_audit(caller, "bank_statement.remove", "bank_statement", row.id, before, after)
        BankStatement.objects.filter(pk=row.pk).delete()
    return row


def _give_away(row: BankStatement) -> int:
    """Hands the lines that other statements hold too to one of those; how many."""
    repeats = RepeatedLine.objects.filter(line__statement=row).select_related("line", "statement")
    heirs = {repeat.line_id: repeat for repeat in repeats.order_by("-statement__created_at", "-statement_id")}
    statements = {repeat.statement_id: repeat.statement for repeat in heirs.values()}
    there = StatementLine.objects.filter(statement__in=statements).order_by()
    numbers = dict(there.values_list("statement").annotate(Max("number")))
    counts = Counter(repeat.statement_id for repeat in heirs.values())
    lines, moment = [], timezone.now()
    for repeat in sorted(heirs.values(), key=lambda repeat: repeat.line.number):
        line, heir_id = repeat.line, repeat.statement_id
        numbers[heir_id] = numbers.get(heir_id, 0) + 1
        line.statement_id, line.number, line.updated_at = heir_id, numbers[heir_id], moment
        lines.append(line)
    StatementLine.objects.bulk_update(lines, ["statement", "number", "updated_at"], batch_size=1000)
    RepeatedLine.objects.filter(pk__in=[repeat.pk for repeat in heirs.values()]).delete()
    for heir_id, heir in statements.items():
        heir.line_count, heir.skipped_count = heir.line_count + counts[heir_id], heir.skipped_count - counts[heir_id]
        heir.save(update_fields=["line_count", "skipped_count", "updated_at"])
    return len(heirs)
