"""What is read for the bills: what is owed by how long it is overdue, one of them with its payments and its files."""

from dataclasses import dataclass

from django.db.models import Case, CharField, Count, Sum, Value, When
from django.shortcuts import get_object_or_404

from dashboard import cache, operations, operations_payables
from dashboard.access.actor import Actor
from dashboard.client.reads import Ok, ReadCall, read_live, read_together
from dashboard.documents.sources import Document, document_named
from dashboard.errors import FinanceError
from dashboard.mirror.bill_payments import CLAIMS, claimed_minor, follow_bill_payment, payments_of
from dashboard.mirror.bill_payments import PAYMENT_KIND as PAYMENT
from dashboard.mirror.live_rows import refresh_row, store_rows
from dashboard.mirror.models import OPEN_BILL_STATES, ApprovalRequest, Bill
from dashboard.mirror.schedule import today
from dashboard.mirror.scopes import visible_bills, visible_categories, visible_requests
from dashboard.pages.bills.tables.bills import AGES
from dashboard.schemas.bills import Bill as WholeBill
from dashboard.schemas.bills import BillBudget

LIVE_S = 1.5
MAX_PAYMENTS = 20
UPLOAD_S = 24 * 3600
# Nothing more becomes of these: the copy knows all there is.
ENDED = frozenset({"SUCCEEDED"})


@dataclass(frozen=True, slots=True)
class Owed:
    """How many bills of an age, and what is still to be paid of them in minor units."""

    count: int
    balance_minor: int


def aging(actor: Actor) -> dict[str, dict[str, Owed]]:
    """What is owed by currency and by the name of its age, which is absent where nothing is: from one pass over what is to be paid."""
    now = today(actor.business)
    rows = visible_bills(actor).filter(status__in=OPEN_BILL_STATES)
    whens = [When(age.due(now), then=Value(age.name)) for age in AGES]
    aged = rows.annotate(age=Case(*whens, output_field=CharField())).order_by("currency")
    ages: dict[str, dict[str, Owed]] = {}
    for currency, age, count, balance in aged.values_list("currency", "age").annotate(
        count=Count("pk"), balance=Sum("balance_minor")
    ):
        ages.setdefault(currency, {})[age] = Owed(count, int(balance))
    return ages


def bill_for(actor: Actor, remote_id: str) -> Bill:
    """The bill of that id; Http404 outside what the actor may see."""
    bill: Bill = get_object_or_404(visible_bills(actor), remote_id=remote_id)
    return bill


def refresh_bill(actor: Actor, bill: Bill) -> bool:
    """Brings the bill in the copy up to the service, with those of its payments that may have moved on since;
    False where the service does not answer."""
    return refresh_row(actor, "bill", bill, operations_payables.READ_BILL) and _refresh_payments(actor, bill)


def _refresh_payments(actor: Actor, bill: Bill) -> bool:
    ended = {row.ref for row in payments_of(actor.business, bill) if row.status in ENDED}
    refs = [str(ref) for ref in bill.payload.get("payments") or () if ref not in ended][-MAX_PAYMENTS:]
    operation = operations.READ_BILL_PAYMENT_STATUS
    calls = {ref: ReadCall(operation, path={"paymentRef": ref}, subject=bill, deadline=LIVE_S) for ref in refs}
    results = read_together(actor, calls)
    for result in results.values():
        if isinstance(result, Ok):
            store_rows(actor, PAYMENT, [result.answer.data])
            follow_bill_payment(actor.business, result.answer.data)
    bill.refresh_from_db()
    return all(isinstance(result, Ok) for result in results.values())


def accepts_files(bill: Bill) -> bool:
    """Whether a file can be added to a bill: to a draft, and to one that is to be paid."""
    return bill.status == "DRAFT" or bill.status in OPEN_BILL_STATES


def is_unpaid(actor: Actor, bill: Bill) -> bool:
    """Whether nothing of the bill was paid or credited and no payment of it is under way: only then its number and amounts
    change."""
    whole = WholeBill.model_validate(bill.payload)
    return not (whole.amount_paid_minor or whole.amount_credited_minor) and all(
        row.status not in CLAIMS - {"DRAFT"} for row in payments_of(actor.business, bill)
    )


def free_minor(actor: Actor, bill: Bill) -> int:
    """What of the balance no payment claims yet, in minor units."""
    claims = (row for row in payments_of(actor.business, bill) if row.status in CLAIMS)
    claimed = (claimed_minor(row.amount_minor, row.payload.get("discount_minor")) for row in claims)
    return bill.balance_minor - sum(claimed)


def payment_for(actor: Actor, bill: Bill, ref: str) -> ApprovalRequest:
    """A payment of the bill by its reference; Http404 where it has none such."""
    rows = visible_requests(actor).filter(kind=PAYMENT, payload__bill_id=bill.remote_id)
    payment: ApprovalRequest = get_object_or_404(rows, ref=ref)
    return payment


def bill_budget_of(actor: Actor, whole: WholeBill) -> BillBudget | None:
    """The budget that a bill is assigned to, with what is left of it now; None for none, and where it cannot be read."""
    if not whole.budget_id:
        return None
    path = {"budgetId": whole.budget_id}
    try:
        answer = read_live(actor, operations.READ_BUDGET, path=path, deadline=LIVE_S, tries=1)
    except FinanceError:
        return None
    return BillBudget.model_validate(answer.data)


def category_names(actor: Actor, ids: set[str]) -> dict[str, str]:
    """The names of subcategories by their id."""
    return dict(visible_categories(actor).filter(remote_id__in=ids - {""}).values_list("remote_id", "name"))


def files_of(bill: Bill) -> list[Document]:
    """The files of a bill, in the order in which they were attached."""
    whole = WholeBill.model_validate(bill.payload)
    return [bill_document(bill.remote_id, file.id, file.file_name or "document") for file in whole.attachments]


def bill_document(remote_id: str, file_id: str, name: str) -> Document:
    """A file of a bill as the viewer opens it; `remote_id` is NEW where it is not attached to any yet."""
    path = {"fileId": file_id}
    return Document("bill", remote_id, file_id, name, operations_payables.DOWNLOAD_BILL_FILE, path, None, None)


def file_of(bill: Bill, file_id: str) -> Document:
    """A file of a bill; NotFound where it has none of that id."""
    return document_named(files_of(bill), file_id)


def uploaded_file(actor: Actor, file_id: str) -> Document:
    """A file that was uploaded and is not attached to a bill yet, by the name it was uploaded under where that is known."""
    name = cache.load(_name_of(actor, file_id)) or "Document"
    return bill_document("new", file_id, str(name))


def remember_upload(actor: Actor, file_id: str, name: str) -> None:
    """Stores the name of an uploaded file for as long as a form stays open."""
    cache.store(_name_of(actor, file_id), name, UPLOAD_S)


def _name_of(actor: Actor, file_id: str) -> str:
    return f"bill-file:{actor.business.pk}:{file_id}"
