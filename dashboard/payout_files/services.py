"""What is remembered of the files of payments that a business brings: their columns by their header, and what each draft was
made from."""

from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from hashlib import sha256

from django.utils import timezone

from dashboard.access.models import Business
from dashboard.payout_files.models import BankFileDownload, DraftOrigin, FileColumns, SentCode

# A header is known again by so much of each name, and a business has so many.
LONGEST_NAME = 60
MOST = 50


def header_of(cells: Sequence[str]) -> list[str]:
    """The names of the columns as they are compared and printed."""
    return [" ".join(cell.split())[:LONGEST_NAME] for cell in cells]


def header_key(header: Sequence[str]) -> str:
    """What a header is known again by, without regard to case."""
    return sha256("\x1f".join(name.casefold() for name in header).encode()).hexdigest()


def remembered(business: Business, header: Sequence[str]) -> FileColumns | None:
    """How a file with just this header is read; None where nobody has said it."""
    return FileColumns.objects.filter(business=business, header_key=header_key(header)).first()


def all_remembered(business: Business) -> list[FileColumns]:
    """What is remembered for the business, the latest first."""
    return list(FileColumns.objects.filter(business=business).order_by("-updated_at", "-pk")[:MOST])


def nearest(business: Business, header: Sequence[str]) -> FileColumns | None:
    """Of what is remembered the one that has most of its columns in this header; None where none has any."""
    there = {name.casefold() for name in header}
    shared = {row: sum(name.casefold() in there for name in row.names.values()) for row in all_remembered(business)}
    best = max(shared, key=lambda row: shared[row], default=None)
    return best if best is not None and shared[best] else None


def remember_columns(business: Business, header: Sequence[str], columns: Mapping[str, int]) -> FileColumns:
    """Remembers how files with this header are read; of more than MOST the oldest are forgotten."""
    values = {"header": list(header), "columns": dict(columns)}
    row, _ = FileColumns.objects.update_or_create(business=business, header_key=header_key(header), defaults=values)
    latest = [known.pk for known in all_remembered(business)]
    FileColumns.objects.filter(business=business).exclude(pk__in=latest).delete()
    return row


def remember_origin(business: Business, payout_id: str, *, table_hash: str = "", copied_from: str = "") -> None:
    """Remembers what a draft was made from: a table, or another payout (its remote id). Once per draft."""
    values = {"table_hash": table_hash, "copied_from": copied_from}
    DraftOrigin.objects.get_or_create(business=business, payout_id=payout_id, defaults=values)


def copies_of(business: Business, payout_id: str) -> list[str]:
    """The remote ids of the drafts that were made from a payout, from one of those, and so on to their ends; the latest
    first."""
    known, last = {payout_id}, [payout_id]
    copies: list[tuple[datetime, int, str]] = []
    while last:
        rows = DraftOrigin.objects.filter(business=business, copied_from__in=last).exclude(payout_id__in=known)
        drafts = list(rows.values_list("created_at", "pk", "payout_id"))
        copies += drafts
        last = [draft_id for _, _, draft_id in drafts]
        known.update(last)
    return [draft_id for _, _, draft_id in sorted(copies, reverse=True)]


def related_payouts(business: Business, payout_id: str) -> list[str]:
    """The payout, all whose payments it repeats back to the first, and all that were made from any of these: the same payment
    may stand in each, and in a bank file of each."""
    first, known = payout_id, {payout_id}
    while origin := _origin_of(business, first):
        if origin in known:
            break
        known.add(origin)
        first = origin
    return [payout_id, *({first, *copies_of(business, first)} - {payout_id})]


def _origin_of(business: Business, payout_id: str) -> str:
    rows = DraftOrigin.objects.filter(business=business, payout_id=payout_id)
    return str(rows.values_list("copied_from", flat=True).first() or "")


def drafts_of_table(business: Business, table_hash: str, since: datetime) -> list[str]:
    """The remote ids of the payouts that were made from a table since then, the latest first."""
    rows = DraftOrigin.objects.filter(business=business, table_hash=table_hash, created_at__gte=since)
    return list(rows.order_by("-created_at", "-pk").values_list("payout_id", flat=True)[:MOST])


def remember_bank_file(
    business: Business, payout_id: str, *, by_name: str, rows: Sequence[int], sum_minor: int
) -> None:
    """Remembers that a file with these rows of a payout was handed out to somebody, who may have given it to the bank."""
    BankFileDownload.objects.create(
        business=business, payout_id=payout_id, by_name=by_name[:200], rows=list(rows), sum_minor=sum_minor
    )


def bank_files_of(business: Business, payout_ids: Iterable[str]) -> list[BankFileDownload]:
    """The bank files that were downloaded of these payouts, the latest first."""
    rows = BankFileDownload.objects.filter(business=business, payout_id__in=list(payout_ids))
    return list(rows.order_by("-downloaded_at", "-pk"))


def recent_bank_files(business: Business, since: datetime) -> dict[str, frozenset[int]]:
    """The payouts of which a bank file was downloaded since then, by their remote ids, each with the numbers of its payments that
    stand in one."""
    rows: dict[str, frozenset[int]] = {}
    files = BankFileDownload.objects.filter(business=business, downloaded_at__gte=since)
    for payout_id, numbers in files.values_list("payout_id", "rows"):
        rows[payout_id] = rows.get(payout_id, frozenset()) | frozenset(numbers)
    return rows


def remember_code(business: Business, payout_id: str, intent_id: str, expires_at: datetime) -> None:
    """Remembers that a code was sent for a payout: whoever may confirm it enters it on the payout's page, whoever asked for it.
    Codes that were sent before are void."""
    values = {"intent_id": intent_id, "expires_at": expires_at}
    SentCode.objects.update_or_create(business=business, payout_id=payout_id, defaults=values)


def open_intent(business: Business, payout_id: str) -> str:
    """The intent that the last code sent for a payout confirms; "" where none was sent, or its time is over."""
    rows = SentCode.objects.filter(business=business, payout_id=payout_id, expires_at__gt=timezone.now())
    return str(rows.values_list("intent_id", flat=True).first() or "")
