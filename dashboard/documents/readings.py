"""What was read from a document, as data: each value with where it stands and how sure it is."""

from collections.abc import Sequence
from dataclasses import asdict, dataclass, field
from datetime import date
from decimal import Decimal
from typing import Literal, TypedDict, cast

# EXACT: from the e-invoice inside. LABELLED: beside its label in the text. LIKELY: several could be meant, or the text
# was recognised from a picture.
Sureness = Literal["exact", "labelled", "likely"]
Kind = Literal["pdf", "picture", "xml", "other"]

# Another reader reads anew: raise it with each change of what is drawn or read.
READER = "8"


@dataclass(frozen=True, slots=True)
class Box:
    """Where a value stands on its page: in thousandths of the page's width and height, from the top left."""

    left: int
    top: int
    width: int
    height: int


@dataclass(frozen=True, slots=True)
class Value:
    """One value: `text` in its canonical form (a decimal, an ISO date, a currency's code, a name), the page that it was
    found on (from 1; 0 where it stands on none), and the other values that could be meant."""

    text: str
    sureness: Sureness
    page: int = 0
    box: Box | None = None
    others: tuple[str, ...] = ()

    @property
    def decimal(self) -> Decimal:
        """The amount; decimal.InvalidOperation where it is none."""
        return Decimal(self.text)

    @property
    def days(self) -> tuple[date, ...]:
        """The dates that can be meant, the likeliest first."""
        return tuple(date.fromisoformat(text) for text in (self.text, *self.others))


@dataclass(frozen=True, slots=True)
class InvoiceLine:
    """One line of an e-invoice, decimals as text: `net` is its amount before the tax of `tax_rate` per cent ("" where none is
    said), and where the page describes it, as a value has it."""

    description: str
    quantity: str
    unit_price: str
    net: str
    tax_rate: str = ""
    page: int = 0
    box: Box | None = None


class StoredBox(TypedDict):
    """A Box as JSON holds it, with the same fields."""

    left: int
    top: int
    width: int
    height: int


class StoredValue(TypedDict):
    """A Value as JSON holds it, with the same fields."""

    text: str
    sureness: Sureness
    page: int
    box: StoredBox | None
    others: Sequence[str]


class StoredLine(TypedDict):
    """An InvoiceLine as JSON holds it."""

    description: str
    quantity: str
    unit_price: str
    net: str
    tax_rate: str
    page: int
    box: StoredBox | None


class StoredReading(TypedDict, total=False):
    """A Reading as JSON holds it; an earlier reader may have left fields out."""

    source: str
    merchant: StoredValue | None
    date: StoredValue | None
    total: StoredValue | None
    currency: StoredValue | None
    tax: StoredValue | None
    printed_total: StoredValue | None
    number: StoredValue | None
    due: StoredValue | None
    payable: StoredValue | None
    corrects: StoredValue | None
    account: StoredValue | None
    is_credit_note: bool
    lines: Sequence[StoredLine]
    words: str
    printed: Sequence[Sequence[str]]
    unread: str


@dataclass(frozen=True, slots=True)
class Reading:
    """What a document says: each value where it was found; `words` is its text, line by line, for looking a name up in it.

    `source`: "e-invoice" where XML inside was read, "text", "recognised" from a picture, "" where nothing was read.
    `printed_total` is what the page says where the e-invoice inside says something else, and `printed` what it says instead of
    other values, by their names (disagreement.py). `number` and `due` of a text are those that words announce (bill_fields.py).
    `account` is one that the document asks to be paid on, its others the further ones (payment_accounts.py).
    `unread` is why an e-invoice inside was not read, a key of UNREAD, "" where there is none or it was. Of an e-invoice alone are its `lines`, all or none of them, `payable`, what is left to pay after what was paid in
    advance, `is_credit_note`, whether it lowers what is owed instead of being owed itself, and `corrects`, the number of the
    bill that it lowers.
    """

    source: str = ""
    merchant: Value | None = None
    date: Value | None = None
    total: Value | None = None
    currency: Value | None = None
    tax: Value | None = None
    printed_total: Value | None = None
    number: Value | None = None
    due: Value | None = None
    payable: Value | None = None
    corrects: Value | None = None
    account: Value | None = None
    is_credit_note: bool = False
    lines: tuple[InvoiceLine, ...] = ()
    words: str = ""
    printed: tuple[tuple[str, str], ...] = ()
    unread: str = ""

    @classmethod
    def of(cls, stored_reading: StoredReading) -> "Reading":
        """A reading from what `asdict` made of one."""
        return cls(
            str(stored_reading.get("source", "")),
            merchant=_value(stored_reading.get("merchant")),
            date=_value(stored_reading.get("date")),
            total=_value(stored_reading.get("total")),
            currency=_value(stored_reading.get("currency")),
            tax=_value(stored_reading.get("tax")),
            printed_total=_value(stored_reading.get("printed_total")),
            number=_value(stored_reading.get("number")),
            due=_value(stored_reading.get("due")),
            payable=_value(stored_reading.get("payable")),
            corrects=_value(stored_reading.get("corrects")),
            account=_value(stored_reading.get("account")),
            is_credit_note=bool(stored_reading.get("is_credit_note")),
            lines=tuple(_line(line) for line in stored_reading.get("lines") or ()),
            words=str(stored_reading.get("words", "")),
            printed=tuple((str(name), str(text)) for name, text in stored_reading.get("printed") or ()),
            unread=str(stored_reading.get("unread", "")),
        )

    def as_data(self) -> StoredReading:
        """The same as JSON holds it."""
        return cast(StoredReading, asdict(self))

    def printed_instead(self, name: str) -> str | None:
        """What the page says instead of a value of the e-invoice: "" for nothing of the kind, None where it agrees."""
        return dict(self.printed).get(name)


def _value(stored_value: StoredValue | None) -> Value | None:
    if not stored_value:
        return None
    return Value(
        stored_value["text"],
        stored_value["sureness"],
        stored_value["page"],
        _box(stored_value),
        tuple(stored_value["others"]),
    )


def _line(stored_line: StoredLine) -> InvoiceLine:
    fields = (stored_line["description"], stored_line["quantity"], stored_line["unit_price"], stored_line["net"])
    return InvoiceLine(*fields, stored_line.get("tax_rate", ""), stored_line.get("page", 0), _box(stored_line))


def _box(data: StoredValue | StoredLine) -> Box | None:
    box = data.get("box")
    return Box(**box) if box else None


class OpenedData(TypedDict):
    """A document that was opened, as JSON holds it."""

    kind: Kind
    page_count: int
    sizes: Sequence[tuple[int, int]]
    reading: StoredReading
    problem: str
    look: str


@dataclass(frozen=True, slots=True)
class Opened:
    """A document that was opened: what it is, how many pages it has, and the sizes of those that can be shown, in points
    or pixels. `problem` is a key of PROBLEMS where it cannot be shown. `content_hash` is of its bytes, and `reader` the
    version of what read it, once it was opened by `opening.opened`. `look` is how a picture, or a page that is a scan, looks (drawing.look_of), ""
    for anything else."""

    kind: Kind
    page_count: int = 0
    sizes: tuple[tuple[int, int], ...] = ()
    reading: Reading = field(default_factory=Reading)
    problem: str = ""
    content_hash: str = ""
    reader: str = ""
    look: str = ""

    @classmethod
    def of(cls, data: "OpenedData") -> "Opened":
        """An opened document from what `as_data` made of one."""
        sizes = tuple((int(width), int(height)) for width, height in data["sizes"])
        look = str(data.get("look", ""))
        return cls(
            data["kind"], int(data["page_count"]), sizes, Reading.of(data["reading"]), data["problem"], look=look
        )

    def as_data(self) -> "OpenedData":
        """The same as JSON holds it."""
        return {
            "kind": self.kind, "page_count": self.page_count, "sizes": self.sizes, "reading": self.reading.as_data(),
            "problem": self.problem, "look": self.look,
        }  # fmt: skip


# Why an e-invoice in a document was not read, as the page says it.
UNREAD = {
    "refused": "The e-invoice inside this file brings a document type or entities with it, so it was not read.",
    "damaged": "The e-invoice inside this file is damaged, so it was not read.",
    "large": "The e-invoice inside this file is too large, so it was not read.",
}
# Why a document is not shown, as the page says it.
PROBLEMS = {
    "encrypted": "This PDF is protected by a password. Download it to open it.",
    "broken": "This file is damaged and cannot be shown. Download it to look at it yourself.",
    "pixels": "This picture is too large to be shown here. Download it to open it.",
    "bytes": "This file is too large to be shown here. Download it to open it.",
    "kind": "Files of this kind are not shown here. Download it to open it.",
    "costly": "This file takes too much time or memory to be shown. Download it to open it.",
    "busy": "Other documents are being opened. Try again in a moment.",
    "page": "This page cannot be shown.",
}
