"""Bank reconciliation: a statement imported, matches made and undone, rules stored. The copy holds none of it.

Raises what `run` raises; what the service refuses stands on the form.
"""

from collections.abc import Mapping, Sequence

from django import forms

from dashboard import operations_accounting
from dashboard.access.actor import Actor
from dashboard.access.operation import Operation
from dashboard.access.subject import Subject
from dashboard.bank_statements.statement import ParsedStatement
from dashboard.commands.run import CommandResult, Key, run
from dashboard.errors import FAILED, Conflict, NotFound
from dashboard.schemas.reconciliation import (
    AcceptedDifferenceBody,
    NewBankLine,
    NewBankMatch,
    NewBankRule,
    NewBankStatement,
    RemovedStatementBody,
    WalletBody,
)

REFUSALS = (*FAILED, NotFound, Conflict)
# A statement of thousands of lines takes its time, and so do their matches.
IMPORT_S = 30.0


def wallet_subject(actor: Actor, wallet_ref: str, title: str) -> Subject:
    """The wallet that is reconciled, for the gate and the audit."""
    return Subject(business_id=actor.business.pk, kind="wallet", id=wallet_ref, title=title)


def statement_body(parsed_statement: ParsedStatement, wallet_ref: str, file_name: str, digest: str) -> NewBankStatement:
    """A statement as the check and the import send it."""
    lines = [
        NewBankLine(
            number=line.number, day=line.day, amount_minor=line.amount_minor, description=line.description,
            reference=line.reference, bank_id=line.bank_id,
        )
        for line in parsed_statement.lines
    ]  # fmt: skip
    body = {
        "org_wallet_ref": wallet_ref, "file_name": file_name, "sha256": digest, "currency": parsed_statement.currency,
        "source_format": parsed_statement.source_format, "account": parsed_statement.account, "from": parsed_statement.first_day,
        "to": parsed_statement.last_day, "opening_minor": parsed_statement.opening_minor, "closing_minor": parsed_statement.closing_minor,
        "lines": lines,
    }  # fmt: skip
    return NewBankStatement.model_validate(body)


def import_statement(
    actor: Actor, subject: Subject, new_statement: NewBankStatement, *, key: Key, form: forms.BaseForm | None = None
) -> CommandResult:
    """Imports a statement; the same file again is the statement that is there."""
    return run(
        actor, operations_accounting.IMPORT_BANK_LINES, subject, new_statement.wire(), key=key, form=form, refusals=REFUSALS,
        deadline=IMPORT_S,
    )  # fmt: skip


def match(
    actor: Actor, subject: Subject, line_ids: Sequence[str], seqs: Sequence[int], tolerance_minor: int, *, rule: str,
    reason: str, key: Key, form: forms.BaseForm | None = None,
) -> CommandResult:  # fmt: skip
    """Matches lines with entries, several on each side; the sums differ by no more than the tolerance."""
    body = NewBankMatch(
        org_wallet_ref=subject.id, line_ids=list(line_ids), entry_seqs=list(seqs), tolerance_minor=tolerance_minor,
        rule=rule, reason=reason,
    )  # fmt: skip
    return run(
        actor, operations_accounting.CREATE_BANK_MATCH, subject, body.wire(), key=key, form=form, refusals=REFUSALS
    )


def accept_certain(actor: Actor, subject: Subject, *, key: Key) -> CommandResult:
    """Makes every match of the wallet that only one thing fits."""
    body = WalletBody(org_wallet_ref=subject.id).wire()
    return run(
        actor, operations_accounting.ACCEPT_CERTAIN_MATCHES, subject, body, key=key, refusals=REFUSALS, deadline=IMPORT_S
    )  # fmt: skip


def undo(actor: Actor, subject: Subject, match_id: str, *, key: Key) -> CommandResult:
    """Takes a match apart: its lines and entries are as before."""
    return run(
        actor, operations_accounting.UNDO_BANK_MATCH, subject, key=key, path={"id": match_id}, refusals=REFUSALS
    )  # fmt: skip


def accept_difference(
    actor: Actor, subject: Subject, body: AcceptedDifferenceBody, *, path: Mapping[str, str], key: Key | str,
    form: forms.BaseForm | None = None,
) -> CommandResult:  # fmt: skip
    """Accepts what bank and books differed by before the first statement of a wallet, of which
    `path` names a statement."""
    return run(
        actor, operations_accounting.ACCEPT_BANK_DIFFERENCE, subject, body, key=key, path=path, form=form, refusals=REFUSALS
    )  # fmt: skip


def withdraw_difference(
    actor: Actor, subject: Subject, body: AcceptedDifferenceBody, *, path: Mapping[str, str], key: Key | str,
    form: forms.BaseForm | None = None,
) -> CommandResult:  # fmt: skip
    """Withdraws the acceptance of what bank and books differed by before the first statement of a wallet; `body` and `path`
    as of `accept_difference`."""
    return run(
        actor, operations_accounting.WITHDRAW_BANK_DIFFERENCE, subject, body, key=key, path=path, form=form,
        refusals=REFUSALS,
    )  # fmt: skip


def change_difference(
    actor: Actor, operation: Operation, subject: Subject, body: AcceptedDifferenceBody, *, path: Mapping[str, str],
    key: Key | str, form: forms.BaseForm | None = None,
) -> CommandResult:  # fmt: skip
    """Accepts the difference or withdraws its acceptance, whichever the operation is."""
    change = withdraw_difference if operation is operations_accounting.WITHDRAW_BANK_DIFFERENCE else accept_difference
    return change(actor, subject, body, path=path, key=key, form=form)


def remove_statement(
    actor: Actor, subject: Subject, body: RemovedStatementBody, *, path: Mapping[str, str], key: Key | str,
    form: forms.BaseForm | None = None,
) -> CommandResult:  # fmt: skip
    """Takes an imported statement back with the lines that it alone holds; `path` names the statement."""
    return run(
        actor, operations_accounting.REMOVE_BANK_STATEMENT, subject, body, key=key, path=path, form=form, refusals=REFUSALS
    )  # fmt: skip


def add_rule(actor: Actor, body: NewBankRule, *, key: Key, form: forms.BaseForm | None = None) -> CommandResult:
    """Stores a rule that lines are matched by."""
    subject = Subject(business_id=actor.business.pk, kind="bank_rule", id="", title=body.name)
    return run(
        actor, operations_accounting.CREATE_BANK_RULE, subject, body.wire(), key=key, form=form, refusals=REFUSALS
    )


def delete_bank_rule(actor: Actor, rule_id: str, name: str, *, key: Key) -> CommandResult:
    """Forgets a rule; what it has matched stays."""
    subject = Subject(business_id=actor.business.pk, kind="bank_rule", id=rule_id, title=name)
    return run(actor, operations_accounting.DELETE_BANK_RULE, subject, key=key, path={"id": rule_id}, refusals=REFUSALS)
