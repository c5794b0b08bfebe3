"""Reconciliation in v2, at paths of ours: statements as lines, matches with their suggestions, proofs, stored rules."""

from bisect import bisect_right

from django.http import HttpResponse
from ninja import Query, Router

from service import errors
from service.accounting import (
    bank_rules,
    matches,
    proofs,
    reconciliation,
    serializers,
    statement_imports,
    statement_removals,
    suggestions,
)
from service.accounting import schemas_reconciliation as schemas
from service.accounting.models import LineStatus, MatchedBy, SourceFormat
from service.accounting.schemas import BankStatementOut
from service.accounting.schemas_proofs import AcceptDifference, BankProof, WithdrawDifference
from service.accounting.statement_file import StatementFileLine
from service.accounting.statement_imports import StatementFile
from service.accounting.suggestion_windows import window_of
from service.accounts.wallets import wallet_by_ref
from service.auth import ADMINS, OFFICE, ApiRequest, requires
from service.documentation import EXTENSION
from service.idempotency import idempotent
from service.pagination import page_of
from service.respond import JsonObject, answer

router = Router(tags=["Accounting"])
NO_SUGGESTIONS: JsonObject = {
    "docs": [], "total": 0, "certain": 0, "next_after": None, "window_from": None, "window_to": None,
    "following_window": None, "unsearched_lines": 0, "unsearched_entries": 0,
}  # fmt: skip


@router.post(
    "/bank-statements/check", response=schemas.BankStatementCheck, summary="What importing a statement would do",
    openapi_extra=EXTENSION,
)  # fmt: skip
@requires(scope="accounting:read", roles=ADMINS)
def check_bank_statement(request: ApiRequest, body: schemas.NewBankStatement) -> HttpResponse:
    """Gap, overlap, another account or currency, a wrong closing balance, lines that are there; changes nothing."""
    owner = wallet_by_ref(request.caller.business, body.org_wallet_ref)
    file, lines = _file(body), _lines(body)
    results = statement_imports.findings(request.caller, owner, file, lines)
    known = sum(finding.code == "known" for finding in results)
    return answer(
        {
            "importable": not any(finding.blocks for finding in results),
            "already_imported": statement_imports.imported_before(owner, file.sha256) is not None,
            "new_lines": len(lines) - known,
            "known_lines": known,
            "findings": [
                {"code": row.code, "message": row.message, "number": row.number, "blocks": row.blocks}
                for row in results
            ],
        }
    )


@router.post(
    "/bank-statements/lines", response={200: BankStatementOut, 201: BankStatementOut},
    summary="Import a bank statement that was read already", openapi_extra=EXTENSION,
)  # fmt: skip
@requires(scope="accounting:write", roles=ADMINS)
@idempotent()
def import_bank_lines(request: ApiRequest, body: schemas.NewBankStatement) -> HttpResponse:
    """The same file again changes nothing, and a line that another statement brought is left out."""
    owner = wallet_by_ref(request.caller.business, body.org_wallet_ref)
    statement, _, fresh = statement_imports.import_lines(request.caller, owner, _file(body), _lines(body))
    matched = statement.lines.filter(status=LineStatus.MATCHED).count()
    return answer(serializers.statement(statement, matched), 201 if fresh else 200)


@router.get(
    "/bank-statements/{statement_id}/proof", response=BankProof, summary="The proof of a bank statement",
    openapi_extra=EXTENSION,
)  # fmt: skip
@requires(scope="accounting:read", roles=OFFICE)
def read_bank_proof(request: ApiRequest, statement_id: str) -> HttpResponse:
    """closing = books + unmatched lines - unmatched entries + fees + carried, as of its last day."""
    row = reconciliation.get_statement(request.caller, statement_id)
    return answer(serializers.proof(row, proofs.proof_of(row)))


@router.post(
    "/bank-statements/{statement_id}/accept-difference", response=BankProof,
    summary="Accept what bank and books differed by before the first statement", openapi_extra=EXTENSION,
)  # fmt: skip
@requires(scope="accounting:write", roles=ADMINS)
@idempotent()
def accept_bank_difference(request: ApiRequest, statement_id: str, body: AcceptDifference) -> HttpResponse:
    """Of the statement's wallet; it counts as long as they differ by just this. By another admin than `proposed_by`."""
    row = reconciliation.get_statement(request.caller, statement_id)
    proofs.accept_difference(request.caller, row, body.amount_minor, body.reason, body.proposed_by or "")
    return answer(serializers.proof(row, proofs.proof_of(row)))


@router.post(
    "/bank-statements/{statement_id}/withdraw-difference", response=BankProof,
    summary="Withdraw the acceptance of what bank and books differed by before the first statement",
    openapi_extra=EXTENSION,
)  # fmt: skip
@requires(scope="accounting:write", roles=ADMINS)
@idempotent()
def withdraw_bank_difference(request: ApiRequest, statement_id: str, body: WithdrawDifference) -> HttpResponse:
    """Of the statement's wallet: they differ again by what nobody has accepted. By another admin than `proposed_by`."""
    row = reconciliation.get_statement(request.caller, statement_id)
    proofs.withdraw_difference(request.caller, row, body.amount_minor, body.reason, body.proposed_by or "")
    return answer(serializers.proof(row, proofs.proof_of(row)))


@router.post(
    "/bank-statements/{statement_id}/remove", response=BankStatementOut, summary="Take an imported bank statement back",
    openapi_extra=EXTENSION,
)  # fmt: skip
@requires(scope="accounting:write", roles=ADMINS)
@idempotent()
def remove_bank_statement(request: ApiRequest, statement_id: str, body: schemas.RemoveStatement) -> HttpResponse:
    """With the lines that it alone holds, none of which is matched or of a closed period; the answer is the statement that it
    was. By another admin than `proposed_by`."""
    row = reconciliation.get_statement(request.caller, statement_id)
    removed = statement_removals.remove_statement(request.caller, row, body.reason, body.proposed_by or "")
    return answer(serializers.statement(removed, 0))


@router.get(
    "/bank-matches/suggestions", response=schemas.BankSuggestionList, summary="What unmatched bank lines may be",
    openapi_extra=EXTENSION,
)  # fmt: skip
@requires(scope="accounting:read", roles=OFFICE)
def list_bank_suggestions(request: ApiRequest, query: Query[schemas.SuggestionQuery]) -> HttpResponse:
    """Of a window of days, the oldest where none is named: each with its reason, the surest first. `following_window` is where the
    next days begin, null at the end; `next_after` goes on by key within these, null at their end: `page` is ignored then."""
    owner = wallet_by_ref(request.caller.business, query.accountref)
    window = window_of(request.caller, owner, query.window or query.from_)
    if window is None:
        # With a start behind them, lines before it are unmatched still.
        return answer({**NO_SUGGESTIONS, "left_out": suggestions.open_lines(request.caller, owner).count()})
    results, unsearched = suggestions.suggestions(
        request.caller, owner, query.tolerance_minor, window.first, window.last
    )
    fitting = suggestions.filter_suggestions(results, query.search or "", query.amount_minor, query.from_, query.to)
    places = [suggestions.place_of(pairing) for pairing in fitting]
    start = bisect_right(places, query.after) if query.after else (query.page - 1) * query.limit
    through = start + query.limit
    return answer(
        {
            "docs": [serializers.suggestion(pairing, owner) for pairing in fitting[start:through]],
            "total": len(fitting),
            "certain": sum(pairing.certain for pairing in results),
            "left_out": window.left_out,
            "next_after": places[through - 1] if through < len(places) else None,
            "window_from": window.first,
            "window_to": window.last,
            "following_window": window.following,
            "unsearched_lines": len(unsearched.lines),
            "unsearched_entries": len(unsearched.entries),
        }
    )


@router.get(
    "/bank-matches/certain", response=schemas.CertainCount, summary="How many bank matches are certain",
    openapi_extra=EXTENSION,
)  # fmt: skip
@requires(scope="accounting:read", roles=OFFICE)
def count_certain_matches(request: ApiRequest, query: Query[schemas.WalletQuery]) -> HttpResponse:
    """Of the whole wallet, whatever is suggested: what accepting all that is certain would match now. Of the oldest lines where
    there are very many: `left_out` is how many more there are."""
    owner = wallet_by_ref(request.caller.business, query.accountref)
    certain = suggestions.certain_suggestions(request.caller, owner)
    return answer({"certain": len(certain), "left_out": suggestions.certain_left_out(request.caller, owner)})


@router.get("/bank-matches", response=schemas.BankMatchPage, summary="List bank matches", openapi_extra=EXTENSION)
@requires(scope="accounting:read", roles=OFFICE)
def list_bank_matches(request: ApiRequest, query: Query[schemas.BankMatchQuery]) -> HttpResponse:
    """With their lines and entries, the newest first."""
    rows = matches.matches(request.caller)
    if query.accountref:
        rows = rows.filter(wallet=wallet_by_ref(request.caller.business, query.accountref))
    if query.match_id:
        rows = rows.filter(id=query.match_id)
    rows = matches.filter_matches(rows, query.search or "", query.amount_minor, query.from_, query.to)
    return page_of(rows, request, query, serializers.bank_match, order="matched_at")


@router.post(
    "/bank-matches", response={201: schemas.BankMatchOut}, summary="Match bank lines with entries",
    openapi_extra=EXTENSION,
)  # fmt: skip
@requires(scope="accounting:write", roles=ADMINS)
@idempotent()
def create_bank_match(request: ApiRequest, body: schemas.NewBankMatch) -> HttpResponse:
    """One or several on each side; the sums differ by no more than the tolerance. A `rule` is written down with its reason
    where just this is suggested by it now, and BY_HAND otherwise."""
    caller, owner = request.caller, wallet_by_ref(request.caller.business, body.org_wallet_ref)
    suggested = (
        suggestions.suggestion_of(caller, owner, body.line_ids, body.entry_seqs, body.tolerance_minor)
        if body.rule != MatchedBy.BY_HAND
        else None
    )
    rule, reason = (
        (suggested.rule, suggested.reason) if suggested else (MatchedBy.BY_HAND, body.reason or "Matched manually")
    )
    row = matches.match_by_hand(caller, owner, body.line_ids, body.entry_seqs, body.tolerance_minor, rule, reason)
    return answer(serializers.bank_match(row), 201)


@router.post(
    "/bank-matches/accept-certain", response=schemas.AcceptedMatches, summary="Match all that is certain",
    openapi_extra=EXTENSION,
)  # fmt: skip
@requires(scope="accounting:write", roles=ADMINS)
@idempotent()
def accept_certain_matches(request: ApiRequest, body: schemas.CertainBody) -> HttpResponse:
    """Every line that one entry alone fits, as it is then."""
    owner = wallet_by_ref(request.caller.business, body.org_wallet_ref)
    return answer({"matched": len(suggestions.accept_certain(request.caller, owner))})


@router.post(
    "/bank-matches/{match_id}/undo", response=schemas.BankMatchOut, summary="Take a bank match apart",
    openapi_extra=EXTENSION,
)  # fmt: skip
@requires(scope="accounting:write", roles=ADMINS)
@idempotent()
def undo_bank_match(request: ApiRequest, match_id: str) -> HttpResponse:
    """Its lines and entries are as they were before; the answer is the match that it was."""
    row = matches.undo(request.caller, match_id)
    return answer(serializers.bank_match(row))


@router.get("/bank-rules", response=schemas.BankRuleList, summary="List rules for bank lines", openapi_extra=EXTENSION)
@requires(scope="accounting:read", roles=OFFICE)
def list_bank_rules(request: ApiRequest) -> HttpResponse:
    """In the order in which they are tried."""
    docs = [serializers.bank_rule(row) for row in bank_rules.rules(request.caller)]
    return answer({"docs": docs, "total": len(docs)})


@router.post(
    "/bank-rules", response={201: schemas.BankRuleOut}, summary="Add a rule for bank lines", openapi_extra=EXTENSION
)
@requires(scope="accounting:write", roles=ADMINS)
@idempotent()
def create_bank_rule(request: ApiRequest, body: schemas.NewBankRule) -> HttpResponse:
    """A line that it fits is an entry of that type, of the same amount and within days."""
    row = bank_rules.create_rule(
        request.caller, name=body.name, text=body.text, reference=body.reference, amount_minor=body.amount_minor,
        currency=body.currency or "", kind=body.type,
    )  # fmt: skip
    return answer(serializers.bank_rule(row), 201)


@router.delete(
    "/bank-rules/{rule_id}", response=schemas.BankRuleOut, summary="Delete a rule for bank lines",
    openapi_extra=EXTENSION,
)  # fmt: skip
@requires(scope="accounting:write", roles=ADMINS)
@idempotent()
def delete_bank_rule(request: ApiRequest, rule_id: str) -> HttpResponse:
    """What it has matched stays."""
    return answer(serializers.bank_rule(bank_rules.delete_rule(request.caller, rule_id)))


def _file(body: schemas.NewBankStatement) -> StatementFile:
    return StatementFile(
        file_name=body.file_name,
        sha256=body.sha256,
        source_format=SourceFormat(body.source_format),
        currency=body.currency,
        account=body.account,
        first_day=body.from_,
        last_day=body.to,
        opening_minor=body.opening_minor,
        closing_minor=body.closing_minor,
    )


def _lines(body: schemas.NewBankStatement) -> list[StatementFileLine]:
    numbers = [line.number for line in body.lines]
    if len(set(numbers)) != len(numbers):
        raise errors.validation_failed("lines", "Two lines have the same number.", "duplicate")
    if any(line.amount_minor == 0 for line in body.lines):
        raise errors.validation_failed("lines", "The amount of a line is nothing.")
    return [
        StatementFileLine(line.number, line.day, line.amount_minor, line.description, line.reference, line.bank_id)
        for line in body.lines
    ]
