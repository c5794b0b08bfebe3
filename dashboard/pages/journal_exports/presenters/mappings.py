"""How a mapping is shown: its rows with their fields, the mapped and the open ones counted."""

from dataclasses import dataclass
from typing import TypedDict

from django.forms import BoundField

from dashboard.journal_exports.mapped_lines import MappedCode, Mappings
from dashboard.journal_exports.models import MappedType
from dashboard.pages.journal_exports.forms import MappingForm, PasteMappingForm

NOTES = {
    MappedType.ACCOUNT: "What the accountant calls each account of the ledger. QuickBooks Online and ERPNext take the name, the "
    "others the code.",
    MappedType.CATEGORY: "Where a category is mapped, its account stands on the other side of the wallet.",
    MappedType.TAX: "The tax code of each withholding tax, and of lines without a tax: the full name of the rate for Xero.",
    MappedType.TEAM: "The dimension of each team: class, tracking option, department or cost centre.",
    MappedType.TAG: "The second dimension, of each tag: tracking option, location, cost unit or project. Of several mapped tags "
    "of a line, CSV and Excel hold all, the others the first by code; Sage has one dimension, and no tags in its file.",
}


@dataclass(frozen=True, slots=True)
class MappingRow:
    """Something of ours with its fields; `name` None where it has a code alone."""

    source_id: str
    title: str
    code: BoundField
    name: BoundField | None
    mapped: bool


class MappingContext(TypedDict):
    """What journal_exports/mapping.html reads; `tabs` are the sources with their titles, `seen` the digest of what is
    mapped now."""

    source: str
    heading: str
    note: str
    tabs: list[tuple[str, str]]
    rows: list[MappingRow]
    seen: str
    open: int
    named: bool
    form: MappingForm
    paste: PasteMappingForm
    key: str


class PasteContext(TypedDict):
    """What journal_exports/paste.html reads: each row of the table with what it replaces, and `digest` of the table."""

    source: str
    heading: str
    rows: list[tuple[str, MappedCode, MappedCode | None]]
    form: PasteMappingForm
    digest: str
    key: str


def is_named(source: str) -> bool:
    """Whether what it is mapped to has a name beside its code."""
    return source in {MappedType.ACCOUNT, MappedType.CATEGORY}


def mapping_context(
    source: str, stored: Mappings, form: MappingForm, paste: PasteMappingForm, key: str
) -> MappingContext:
    """The rows of a source with their fields."""
    rows = [
        MappingRow(
            source_id, title, form[f"code-{source_id}"], form[f"name-{source_id}"] if is_named(source) else None,
            stored.target(source, source_id) is not None,
        )
        for source_id, title in form.rows
    ]  # fmt: skip
    return {
        "source": source,
        "heading": MappedType(source).label,
        "note": NOTES[MappedType(source)],
        "tabs": [(choice.value, choice.label) for choice in MappedType],
        "rows": rows,
        "seen": stored.digest(source),
        "open": sum(not row.mapped for row in rows),
        "named": is_named(source),
        "form": form,
        "paste": paste,
        "key": key,
    }


def paste_context(
    source: str, titles: list[tuple[str, str]], stored: Mappings, form: PasteMappingForm, digest: str, key: str
) -> PasteContext:
    """What a pasted table would store."""
    names = dict(titles)
    return {
        "source": source,
        "heading": MappedType(source).label,
        "rows": [
            (names[source_id], target, stored.target(source, source_id)) for source_id, target in form.targets.items()
        ],
        "form": form,
        "digest": digest,
        "key": key,
    }
