"""Customers from a CSV file: every row is checked before any is sent, and either all of them come in or none."""

from dashboard import operations
from dashboard.access.actor import Actor
from dashboard.commands.customers import create_customer, delete_customer
from dashboard.enqueue import enqueue_on_commit
from dashboard.lists import imports
from dashboard.lists.imports import IMPORTERS, Importer
from dashboard.lists.models import Import
from dashboard.lists.tasks import WORKER_WAITS_S
from dashboard.mirror.models import Customer
from dashboard.pages.customers.forms import CustomerForm, ImportRow
from dashboard.pages.customers.selectors import comparable, names_by_contact
from dashboard.schemas.customers import CreateCustomerBody

CONTACTS = ("phone", "email")
# Nobody waits for a row.
ROW_S = 30.0


def check_lines(actor: Actor, lines: list[ImportRow]) -> bool:
    """Sets on each line its problems, or its body where it has none; True where no line has any.

    A line is checked as the form of one customer is, and so by the rules of the service. A phone or an e-mail that a
    customer or an earlier line has already is a problem too.
    """
    locale = actor.business.locale
    forms = {line.number: CustomerForm(line.values, locale=locale) for line in lines}
    for line in lines:
        form = forms[line.number]
        if form.is_valid():
            line.body = form.body()
        for name, errors in form.errors.items():
            line.problems += [f"{name.replace('_', ' ')}: {error}" for error in errors]
    _check_contacts(actor, lines, forms)
    return not any(line.problems for line in lines)


def _check_contacts(actor: Actor, lines: list[ImportRow], forms: dict[int, CustomerForm]) -> None:
    contacts = {name: {line.number: _cleaned(forms[line.number], name) for line in lines} for name in CONTACTS}
    existing = {
        name: names_by_contact(actor, name, {value for value in contacts[name].values() if value}) for name in CONTACTS
    }
    seen: dict[tuple[str, str], int] = {}
    for line in lines:
        for name in CONTACTS:
            value = comparable(contacts[name][line.number])
            if not value:
                continue
            if value in existing[name]:
                line.problems.append(f"{existing[name][value]} has this {name} already")
            elif (name, value) in seen:
                line.problems.append(f"the same {name} as row {seen[name, value]}")
            seen.setdefault((name, value), line.number)


def _cleaned(form: CustomerForm, name: str) -> str:
    # As it would be sent; nothing where it is refused, which is a problem of the line already.
    return str(form.cleaned_data.get(name) or "")


def create_import(actor: Actor, lines: list[ImportRow], file_name: str) -> Import:
    """A row for an import of checked lines, which nobody works on before it is begun."""
    job: Import = Import.objects.create(
        business=actor.business,
        membership_id=actor.member_id,
        list_name="customers",
        file_name=file_name[:200],
        rows=[line.body for line in lines],
        lines=[line.number for line in lines],
    )
    return job


def begin_import(actor: Actor, import_job: Import) -> bool:
    """Hands the import to a worker; False where it was begun before."""
    is_first = imports.begin(actor, import_job)
    if is_first:
        enqueue_on_commit("dashboard.lists.import", str(import_job.pk), expires_s=WORKER_WAITS_S)
    return is_first


def create_row(actor: Actor, body: CreateCustomerBody, key: str) -> str:
    """Creates the customer of one row, as its `body` was stored; answers with its id. Raises what `create_customer` raises."""
    return create_customer(actor, body, key=key, deadline=ROW_S).id


def _undo_row(actor: Actor, remote_id: str, key: str) -> None:
    customer = Customer.objects.get(business=actor.business, remote_id=remote_id)
    delete_customer(actor, customer, key=key, deadline=ROW_S)


IMPORTERS["customers"] = Importer(operations.CREATE_CUSTOMER, ("customer", "customers"), create_row, _undo_row)
