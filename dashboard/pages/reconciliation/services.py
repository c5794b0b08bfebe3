"""What is changed: files between upload and import, how the columns of a CSV are called, what is ticked of a desk; and of a
statement's proof what a second admin may be asked for."""

from collections.abc import Collection
from dataclasses import asdict
from hashlib import sha256

from django.core import signing
from django.http import HttpRequest

from dashboard import operations_accounting
from dashboard.access.actor import Actor, ActorRequest
from dashboard.access.subject import Subject
from dashboard.bank_statements import csv_table, formats
from dashboard.bank_statements.csv_table import ColumnMapping
from dashboard.bank_statements.models import CsvMapping, StatementDraft
from dashboard.commands import reconciliation as commands
from dashboard.errors import Stale
from dashboard.mirror.models import Wallet
from dashboard.money import text
from dashboard.pages.reconciliation.forms import DifferenceForm, RemovalForm
from dashboard.pages.reconciliation.presenters.proofs import WITHDRAWN, DifferenceChange
from dashboard.pages.reconciliation.presenters.selection import page_rows_salt
from dashboard.pages.reconciliation.presenters.statements import removal_text, wallet_title
from dashboard.pages.reconciliation.selectors.desk import MOST_OF_A_SIDE, SELECTED, MatchSelection, match_selection
from dashboard.pages.reconciliation.selectors.statements import statement_of_wallet
from dashboard.proposals.four_eyes import requires_second_admin
from dashboard.proposals.models import BANK_DIFFERENCE, BANK_STATEMENT, Proposal
from dashboard.proposals.services import Draft, propose
from dashboard.proposals.snapshots import SeenDifference, difference_of, statement_lines_of
from dashboard.proposals.targets import read_proof
from dashboard.schemas.reconciliation import AcceptedDifferenceBody, RemovedStatementBody
from dashboard.web.submission import form_key_of, posted_key, sent_before

LONGEST_NAME = 120


def create_draft(actor: Actor, wallet: Wallet, name: str, content: bytes) -> StatementDraft:
    """Keeps a file until it is imported. StatementError for no statement."""
    source_format = formats.format_of(content)
    printed = "".join(letter for letter in name if letter.isprintable())[-LONGEST_NAME:].strip()
    return StatementDraft.objects.create(
        business=actor.business, membership_id=actor.member_id, wallet_id=wallet.remote_id,
        file_name=printed or "statement", sha256=sha256(content).hexdigest(), source_format=source_format,
        content=content,
    )  # fmt: skip


def save_columns(
    actor: Actor, statement_draft: StatementDraft, mapping: ColumnMapping, opening_minor: int, closing_minor: int
) -> None:
    """Remembers how a CSV with this header is read, and what the file does not say of itself."""
    key = csv_table.header_key(csv_table.header_of(bytes(statement_draft.content)))
    CsvMapping.objects.update_or_create(business=actor.business, header_key=key, defaults={"columns": asdict(mapping)})
    statement_draft.opening_minor, statement_draft.closing_minor, statement_draft.columns = (
        opening_minor,
        closing_minor,
        asdict(mapping),
    )
    statement_draft.save(update_fields=["opening_minor", "closing_minor", "columns"])


def select(request: HttpRequest, wallet: Wallet) -> MatchSelection:
    """Keeps what a posted page of the desk has ticked, beside what is ticked on other pages; answers all of it, of each side at
    most MOST_OF_A_SIDE rows. A page that does not say what it shows changes nothing."""
    before = match_selection(request, wallet)
    try:
        page_rows = signing.loads(request.POST.get("page_rows", ""), salt=page_rows_salt(wallet))
    except signing.BadSignature:
        return before
    lines, entries = (
        _ticked(earlier, page_rows[side], request.POST.getlist(name))
        for earlier, side, name in ((before.lines, "lines", "line"), (before.entries, "entries", "entry"))
    )
    selection = MatchSelection(lines, entries)
    _store(request, wallet, selection)
    return selection


def _ticked(before: dict[str, int], page_rows: dict[str, int], ticked: list[str]) -> dict[str, int]:
    elsewhere = {row: minor for row, minor in before.items() if row not in page_rows}
    here = {row: page_rows[row] for row in ticked if row in page_rows}
    return dict(list((elsewhere | here).items())[:MOST_OF_A_SIDE])


def deselect(request: HttpRequest, wallet: Wallet, rows: Collection[str] | None = None) -> None:
    """Forgets what is ticked of a wallet's desk: these lines and entries, or all."""
    before = match_selection(request, wallet)
    gone = {*before.lines, *before.entries} if rows is None else set(rows)
    lines = {row: minor for row, minor in before.lines.items() if row not in gone}
    _store(
        request, wallet, MatchSelection(lines, {row: minor for row, minor in before.entries.items() if row not in gone})
    )


def _store(request: HttpRequest, wallet: Wallet, selection: MatchSelection) -> None:
    stored = {key: value for key, value in request.session.get(SELECTED, {}).items() if key != wallet.remote_id}
    if selection.lines or selection.entries:
        stored[wallet.remote_id] = asdict(selection)
    request.session[SELECTED] = stored


def change_difference(
    request: ActorRequest,
    wallet: Wallet,
    statement_id: str,
    form: DifferenceForm,
    difference_change: DifferenceChange,
) -> Proposal | None:
    """Accepts the difference before the first statement as it was shown, or withdraws its acceptance; where a second admin is
    asked for, the proposal to do so. NotFound for a statement of another wallet, Stale where it is another difference by now;
    raises commands.REFUSALS."""
    statement_of_wallet(request.actor, wallet, statement_id)
    seen = _seen_difference(request, statement_id, form)
    actor, reason = request.actor, form.cleaned_data["reason"]
    amount_minor = seen["accepted_minor"] if difference_change is WITHDRAWN else seen["carried_minor"]
    body: AcceptedDifferenceBody = {"amount_minor": amount_minor, "reason": reason}
    path = {"id": statement_id}
    if not requires_second_admin(actor.business):
        commands.change_difference(
            actor,
            difference_change.operation,
            _subject(actor, wallet),
            body,
            path=path,
            key=form_key_of(request),
            form=form,
        )
        return None
    difference = text(amount_minor, wallet.currency, actor.business.locale)
    return propose(actor, Draft(
        operation=difference_change.operation, title=wallet_title(wallet), key=posted_key(request), path=path,
        body={**body, "proposed_by": actor.employee_id}, target_type=BANK_DIFFERENCE, target_id=wallet.remote_id,
        seen=seen, sentences=[difference_change.sentence.format(difference=difference)], consequences=[difference_change.consequence],
        reason=reason,
    ))  # fmt: skip


def _seen_difference(request: ActorRequest, statement_id: str, form: DifferenceForm) -> SeenDifference:
    now, seen = difference_of(read_proof(request.actor, statement_id)), form.seen()
    # What this very form did, or may have done, is asked for again with what was shown then.
    if seen is None or (seen != now and not sent_before(request)):
        form.show(now)
        raise Stale("The difference before the first statement is not the one you saw.", code="difference")
    return seen


def remove_statement(request: ActorRequest, wallet: Wallet, statement_id: str, form: RemovalForm) -> Proposal | None:
    """Takes an imported statement back; where a second admin is asked for, the proposal to do so. NotFound for a statement of
    another wallet; raises commands.REFUSALS."""
    actor, reason, path = request.actor, form.cleaned_data["reason"], {"id": statement_id}
    body: RemovedStatementBody = {"reason": reason}
    if not requires_second_admin(actor.business):
        if not sent_before(request):
            statement_of_wallet(actor, wallet, statement_id)
        commands.remove_statement(actor, _subject(actor, wallet), body, path=path, key=form_key_of(request), form=form)
        return None
    statement = statement_of_wallet(actor, wallet, statement_id)
    return propose(actor, Draft(
        operation=operations_accounting.REMOVE_BANK_STATEMENT, title=wallet_title(wallet), key=posted_key(request), path=path,
        body={**body, "proposed_by": actor.employee_id}, target_type=BANK_STATEMENT, target_id=statement_id,
        seen=statement_lines_of(statement), sentences=[removal_text(statement, wallet)],
        consequences=["The lines that no other statement holds are gone, and the file can be imported again."],
        reason=reason,
    ))  # fmt: skip


def _subject(actor: Actor, wallet: Wallet) -> Subject:
    return commands.wallet_subject(actor, wallet.org_wallet_ref, wallet_title(wallet))
