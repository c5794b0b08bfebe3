"""Receipts of the demo: one file for all expenses of the same merchant and amount where it is long past, else one each."""

from collections.abc import Sequence
from pathlib import Path
from zlib import crc32

from django.utils import timezone

from service import documents, money, storage
from service.expenses.models import Expense, Receipt
from service.ids import object_id
from service.sandbox import pictures

File = tuple[str, str, int, str, str]


class Pool:
    """Files by what stands on them; each is drawn and written the first time it is wanted."""

    def __init__(self, business_id: str) -> None:
        self.business_id = business_id
        self._files: dict[tuple[str, str, int], File] = {}

    @property
    def size(self) -> int:
        """How many files there are to draw receipts from."""
        return len(self._files)

    def receipt(self, expense: Expense) -> Receipt:
        """The receipt of an expense, not saved; without a date on it, since others share it."""
        path, mime, size, digest, name = self.draw(expense.receiver, expense.currency, expense.amount_minor)
        return Receipt(
            id=object_id(), expense_id=expense.id, file_name=name, mime=mime, size=size, sha256=digest, path=path,
            created_at=expense.created_at,
        )  # fmt: skip

    def draw(self, merchant: str, currency: str, minor: int) -> File:
        """The file for what was paid at a merchant, in minor units: drawn ahead, so that no wallet is locked meanwhile."""
        key = (merchant, currency, minor)
        if key not in self._files:
            self._files[key] = self._write(*key)
        return self._files[key]

    def _write(self, merchant: str, currency: str, minor: int) -> File:
        lines = _lines(merchant, currency, minor)
        # The same file for the same receipt, whichever was drawn before it.
        content = pictures.pdf(lines) if crc32("".join(lines).encode()) % 4 == 3 else pictures.png(lines)
        document = documents.checked_bytes(content, "receipt")
        path = f"receipts/{self.business_id}/shared/{document.sha256[:24]}{Path(document.file_name).suffix}"
        storage.write(path, content)
        return path, document.mime, document.size, document.sha256, document.file_name


def _lines(merchant: str, currency: str, minor: int) -> Sequence[str]:
    rate = 16 if currency == "KES" else 21
    vat = round(minor * rate / (100 + rate))
    rule = "-" * 32
    return [
        merchant.upper()[:30],
        rule,
        f"Net    {money.Money(minor - vat, currency)}",
        f"VAT    {money.Money(vat, currency)}",
        f"TOTAL  {money.Money(minor, currency)}",
        rule,
        "Paid by card",
        f"Printed for the demo, {timezone.now():%Y}",
    ]
