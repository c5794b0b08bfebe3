"""What can be mapped, with its name here, and what it is mapped to."""

from collections.abc import Collection, Iterable
from dataclasses import dataclass

from dashboard import operations, operations_accounting, operations_extra
from dashboard.access.actor import Actor
from dashboard.client.page import Page, every_row, parsed, read_page, typed
from dashboard.client.reads import read_live
from dashboard.journal_exports.formats.registry import Format
from dashboard.journal_exports.mapped_lines import NO_TAX, MappedCode, MappedLine, Mappings
from dashboard.journal_exports.models import JournalExport, MappedType, Mapping
from dashboard.mirror.models import Employee
from dashboard.mirror.scopes import visible_categories, visible_teams
from dashboard.schemas.accounting import TrialAccount, TrialBalance
from dashboard.schemas.journal_exports import AccountSum
from dashboard.schemas.taxes import Tax
from dashboard.spreadsheet import without_formulas

LIVE_S = 8.0


@dataclass(frozen=True, slots=True)
class Missing:
    """Something that a format needs and nobody has mapped."""

    source: str
    source_id: str
    title: str


def mappings_of(actor: Actor) -> Mappings:
    """What is mapped in the business."""
    rows = Mapping.objects.filter(business=actor.business)
    return Mappings({(row.source, row.source_id): MappedCode(row.code, row.name) for row in rows})


def exported_mappings(actor: Actor, numbers: Collection[int]) -> dict[int, Mappings]:
    """What was mapped in the exports of these numbers, by number; those whose files are not written here are left out."""
    rows = JournalExport.objects.filter(business=actor.business, number__in=numbers).exclude(manifest="")
    return {number: Mappings.from_json(stored) for number, stored in rows.values_list("number", "mapping") if number}


def correctable_exports(actor: Actor) -> list[int]:
    """The numbers of the exports of which it is known what everything was called there: those whose files are written."""
    rows = JournalExport.objects.filter(business=actor.business, number__isnull=False).exclude(manifest="")
    return sorted(number for number in rows.values_list("number", flat=True) if number is not None)


def mappable(actor: Actor, source: str, newest_period: str) -> list[tuple[str, str]]:
    """All of ours that can be mapped, by id, with their names: of accounts those of the newest trial balance. Raises the
    FinanceError tree."""
    if source == MappedType.ACCOUNT:
        path = {"period": newest_period}
        answer = read_live(actor, operations_accounting.READ_TRIAL_BALANCE, path=path, deadline=LIVE_S)
        return account_titles(actor, parsed(answer.data, TrialBalance).accounts)
    if source == MappedType.CATEGORY:
        rows = visible_categories(actor).order_by("category_name", "name", "remote_id")
        return [(row.remote_id, f"{row.category_name} › {row.name}") for row in rows]
    if source == MappedType.TEAM:
        return list(visible_teams(actor).order_by("name", "remote_id").values_list("remote_id", "name"))
    if source == MappedType.TAG:
        return tags_of(actor)
    return [(NO_TAX, "Lines without a tax"), *((tax.id, tax.name) for tax in taxes_of(actor))]


def tags_of(actor: Actor) -> list[tuple[str, str]]:
    """The tags by id and name, by the alphabet."""

    def fetch(number: int, size: int) -> Page:
        query: dict[str, str | int] = {"page": number, "limit": size}
        return read_page(read_live(actor, operations_extra.LIST_EXPENSE_TAGS, query=query, deadline=LIVE_S).data)

    rows = ((str(row.get("_id")), str(row.get("name"))) for row in every_row(fetch))
    return sorted(rows, key=lambda row: (row[1].casefold(), row[0]))


def taxes_of(actor: Actor) -> list[Tax]:
    """The withholding taxes of the business by name, to be mapped to codes."""

    def fetch(number: int, size: int) -> Page:
        query: dict[str, str | int] = {"page": number, "limit": size}
        return read_page(read_live(actor, operations.LIST_TAXES, query=query, deadline=LIVE_S).data)

    return sorted(typed(every_row(fetch), Tax), key=lambda tax: (tax.name.casefold(), tax.id))


def account_titles(actor: Actor, accounts: Iterable[TrialAccount | AccountSum]) -> list[tuple[str, str]]:
    """The accounts by id, named as the trial balance names them, with their currency."""
    rows = list(accounts)
    ids = {row.holder_id for row in rows if row.holder_id}
    holders = dict(Employee.objects.filter(business=actor.business, remote_id__in=ids).values_list("remote_id", "name"))
    return [
        (str(row.account_id), " · ".join(filter(None, (row.name, holders.get(row.holder_id, ""), row.currency))))
        for row in rows
    ]


def missing(
    actor: Actor, mappings: Mappings, accounts: Iterable[AccountSum], tax_ids: Iterable[str], formats: Iterable[Format]
) -> list[Missing]:
    """What the formats need of these accounts and taxes and nobody has mapped, or to what no file would hold as it is. Raises
    the FinanceError tree where the names of taxes are asked for."""
    chosen_formats = list(formats)
    unmapped: list[Missing] = []
    if any(form.needs_codes for form in chosen_formats):
        unmapped += [
            Missing(MappedType.ACCOUNT, account_id, _title(title, mappings.target(MappedType.ACCOUNT, account_id)))
            for account_id, title in account_titles(actor, accounts)
            if not _is_written(mappings.target(MappedType.ACCOUNT, account_id))
        ]
    if any(form.needs_taxes for form in chosen_formats):
        ids = [tax_id for tax_id in tax_ids if not _is_written(mappings.target(MappedType.TAX, tax_id))]
        names = {tax.id: tax.name for tax in taxes_of(actor)} if ids else {}
        unmapped += [
            Missing(MappedType.TAX, tax_id, _title(names.get(tax_id, tax_id), mappings.target(MappedType.TAX, tax_id)))
            for tax_id in ids
        ]
    return unmapped


def not_written(rows: Iterable[MappedLine], formats: Iterable[Format]) -> list[str]:
    """The codes and names in these lines that a package's file would hold without the signs of a formula: another account,
    or none, would be found under what is left. They were mapped before the forms refused them."""
    if not any(form.needs_codes for form in formats):
        return []
    texts = {text for row in rows for text in (row.account.code, row.account.name, row.tax, row.dimension, *row.tags)}
    return _formulas(sorted(texts))


def _is_written(mapped_code: MappedCode | None) -> bool:
    return mapped_code is not None and not _formulas((mapped_code.code, mapped_code.name))


def _title(title: str, mapped_code: MappedCode | None) -> str:
    formulas = _formulas((mapped_code.code, mapped_code.name)) if mapped_code else []
    return f"{title} (a spreadsheet would run “{formulas[0]}”)" if formulas else title


def _formulas(texts: Iterable[str]) -> list[str]:
    return [text for text in texts if without_formulas(text) != text]
