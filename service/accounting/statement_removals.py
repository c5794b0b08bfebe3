"""An imported statement taken back: of the wrong wallet, with wrong days or signs. Nothing that is matched or closed goes."""

from django.db import transaction
from django.db.models import Max

from service import errors
from service.accounting.matches import lock_wallet
from service.accounting.models import BankStatement, LineStatus, RepeatedLine, StatementLine
from service.accounting.periods import closed_until
from service.accounting.proofs import check_proposer
from service.auth import Caller
from service.events.audit import note


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
        note(caller, "bank_statement.remove", "bank_statement", row.id, before, after)
        BankStatement.objects.filter(pk=row.pk).delete()
    return row


def _give_away(row: BankStatement) -> int:
    """Hands the lines that other statements hold too to one of those; how many."""
    repeats = RepeatedLine.objects.filter(line__statement=row).select_related("line", "statement")
    heirs = {repeat.line_id: repeat for repeat in repeats.order_by("-statement__created_at", "-statement_id")}
    for repeat in heirs.values():
        line, heir = repeat.line, repeat.statement
        last = StatementLine.objects.filter(statement=heir).aggregate(last=Max("number"))["last"] or 0
        line.statement, line.number = heir, last + 1
        line.save(update_fields=["statement", "number", "updated_at"])
        repeat.delete()
    for heir in {repeat.statement_id: repeat.statement for repeat in heirs.values()}.values():
        heirs_count = sum(repeat.statement_id == heir.id for repeat in heirs.values())
        heir.line_count, heir.skipped_count = heir.line_count + heirs_count, heir.skipped_count - heirs_count
        heir.save(update_fields=["line_count", "skipped_count", "updated_at"])
    return len(heirs)
