"""A payout as a file for a bank that takes files: what goes into it and what cannot, and its download, which is audited."""

from datetime import date

from django.http import HttpResponse
from django.utils import timezone
from django.views.decorators.http import require_http_methods

from dashboard import operations
from dashboard.access.actor import Actor, ActorRequest
from dashboard.access.decorators import needs
from dashboard.audit.models import Outcome
from dashboard.audit.record import check_or_record_denial, record
from dashboard.errors import Unavailable
from dashboard.mirror.models import ApprovalRequest
from dashboard.money import text
from dashboard.pages.payouts.forms.payouts import BankFileForm, ask_about_files
from dashboard.pages.payouts.presenters.bank_file import BankFile, Debtor, bank_file, bank_file_lines, bank_file_xml
from dashboard.pages.payouts.presenters.repeats import PossibleRepeats, compare, repeated_context
from dashboard.pages.payouts.selectors.payouts import live_copies, payout_for, read_payments
from dashboard.pages.payouts.services.copies import lines_again
from dashboard.payout_files.services import remember_bank_file
from dashboard.schemas.payments import PayoutItem
from dashboard.times import local
from dashboard.web.files import save_as
from dashboard.web.respond import page
from dashboard.web.signin.middleware import confirm_first
from dashboard.web.submission import posted_key

BANK_FILE = "payouts/bank_file.html"


@require_http_methods(["GET", "POST"])
@needs(operations.INITIATE_PAYOUT)
def download_bank_file(request: ActorRequest, business: str, remote_id: str) -> HttpResponse:
    """What the file holds and what it cannot; posted, the file itself. Whoever has not just shown that it is them does so
    first."""
    actor = request.actor
    row = payout_for(actor, remote_id)
    check_or_record_denial(actor, operations.INITIATE_PAYOUT, row)
    payments = read_payments(actor, row)
    if payments is None:
        raise Unavailable("The finance service did not answer, so there is no file now. Try again.")
    file = bank_file(row, payments)
    doubles = _doubles(actor, row, file, payments)
    form = _form(request, row)
    if request.method == "GET" or file.problem or not _is_valid(form, local(timezone.now(), actor.business).date()):
        return _render(request, row, file, form, doubles, 200 if request.method == "GET" else 422)
    if doubles and request.POST.get("meant") != doubles.digest:
        return _render(request, row, file, form, doubles, 409)
    return confirm_first(request, request.path) or _download(request, row, file, form)


def _form(request: ActorRequest, row: ApprovalRequest) -> BankFileForm:
    """Its form; where a bank file of its payments was downloaded, it asks about that."""
    today = local(timezone.now(), request.actor.business).date()
    form = BankFileForm(request.POST if request.method == "POST" else None, initial={"day": today})
    if bank_file_lines(request.actor, row):
        ask_about_files(form)
    return form


def _doubles(actor: Actor, row: ApprovalRequest, bank_file: BankFile, payments: list[PayoutItem]) -> PossibleRepeats:
    """What of the file another payout or a bill payment pays, or paid: the bank would pay it once more."""
    numbers = set() if bank_file.problem else {number for number, _ in bank_file.payments}
    lines = [line for line in lines_again(row, payments, failed=False) if line.number in numbers]
    if not lines:
        return PossibleRepeats([], whole=True)
    copies = [copy.remote_id for copy in live_copies(actor, row)]
    return compare(actor, row.currency, lines, besides=row.remote_id, copies=copies)


def _is_valid(form: BankFileForm, today: date) -> bool:
    if form.is_valid() and form.cleaned_data["day"] < today:
        form.add_error("day", "It is in the past.")
    return not form.errors


def _download(request: ActorRequest, row: ApprovalRequest, bank_file: BankFile, form: BankFileForm) -> HttpResponse:
    data, business = form.cleaned_data, request.actor.business
    debtor = Debtor(business.name, data["account"], data["bank"], row.currency)
    content = bank_file_xml(row, bank_file, debtor, local(timezone.now(), business).replace(tzinfo=None), data["day"])
    total = text(bank_file.sum_minor, row.currency, business.locale)
    record(
        request.actor, operations.INITIATE_PAYOUT, row, Outcome.NOTED,
        sentence=f"downloaded a bank file of payout {row.title}: {len(bank_file.payments):,} payments, {total}",
        after={"payments": len(bank_file.payments), "left_out": len(bank_file.excluded), "sum_minor": bank_file.sum_minor},
    )  # fmt: skip
    remember_bank_file(
        business, row.remote_id, by_name=request.actor.name, rows=[number for number, _ in bank_file.payments],
        sum_minor=bank_file.sum_minor,
    )  # fmt: skip
    answer = HttpResponse(content, content_type="application/xml")
    save_as(answer, f"{row.ref}.xml")
    return answer


def _render(
    request: ActorRequest,
    row: ApprovalRequest,
    bank_file: BankFile,
    form: BankFileForm,
    doubles: PossibleRepeats,
    status: int,
) -> HttpResponse:
    total = text(bank_file.sum_minor, row.currency, request.actor.business.locale)
    return page(
        request,
        BANK_FILE,
        {
            "payout": row,
            "file": bank_file,
            "form": form,
            "total": total,
            "key": posted_key(request),
            "bank_files": bank_file_lines(request.actor, row),
            "doubles": repeated_context(request.actor, row.currency, doubles) if doubles or not doubles.whole else None,
        },
        status=status,
    )
