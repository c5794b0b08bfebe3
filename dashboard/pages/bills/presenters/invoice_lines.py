"""The lines of an e-invoice as the lines of a bill's form: only where with their tax they come to its total, to the cent."""

from dataclasses import dataclass, field
from decimal import ROUND_HALF_UP, Decimal

from dashboard.documents.readings import InvoiceLine, Reading
from dashboard.money import exponent, text, to_minor
from dashboard.pages.bills.forms.lines import MAX_LINES, LineInitial

# What the fields of a line take.
PRICE_PLACES, QUANTITY_PLACES, RATE_PLACES = 4, 3, 2


@dataclass(frozen=True, slots=True)
class OfferedLine:
    """A line as the form begins with it, decimals as they are typed; `note` says where it was read."""

    description: str
    quantity: Decimal
    unit_price: Decimal
    tax_rate: Decimal | None
    note: str

    def initial(self) -> LineInitial:
        """What the fields of the bill's line form begin with: description, quantity, unit price in the bill's units, tax rate."""
        return {
            "description": self.description, "quantity": self.quantity, "unit_price": self.unit_price,
            "tax_rate": self.tax_rate,
        }  # fmt: skip


@dataclass(frozen=True, slots=True)
class OfferedLines:
    """The lines; none, and why in a sentence, where there are some that cannot be taken over ("" where there are none)."""

    lines: list[OfferedLine] = field(default_factory=list)
    refusal: str = ""


def offered_lines(reading: Reading, locale: str) -> OfferedLines:
    """The lines of the e-invoice that was read, for the form of its bill."""
    if not reading.lines or reading.total is None or reading.currency is None:
        return OfferedLines()
    count = f"{len(reading.lines):,} line{'' if len(reading.lines) == 1 else 's'}"
    if len(reading.lines) > MAX_LINES:
        return OfferedLines(refusal=f"It has {count}, more than a bill takes: not taken over.")
    lines = [_offered(line, place) for place, line in enumerate(reading.lines, 1)]
    if any(not _fits(line) for line in lines):
        return OfferedLines(refusal=f"Its {count} have amounts that a line of a bill does not take: not taken over.")
    currency = reading.currency.text
    try:
        total, come = to_minor(reading.total.decimal, currency), sum(_minor(line, currency) for line in lines)
    except (ValueError, LookupError):
        return OfferedLines()
    if come != total:
        sums = f"{text(come, currency, locale)} with tax"
        verb = "comes" if len(lines) == 1 else "come"
        return OfferedLines(refusal=f"Its {count} {verb} to {sums}, not to its total: not taken over.")
    return OfferedLines(lines)


def _offered(invoice_line: InvoiceLine, place: int) -> OfferedLine:
    quantity, price, net = Decimal(invoice_line.quantity), Decimal(invoice_line.unit_price), Decimal(invoice_line.net)
    note = (
        f"Line {place} of the e-invoice inside the file{f', on page {invoice_line.page}' if invoice_line.page else ''}."
    )
    is_exact = quantity * price == net and _places(quantity) <= QUANTITY_PLACES and _places(price) <= PRICE_PLACES
    if not is_exact:
        note += f" It says {quantity.normalize():f} × {price.normalize():f}; its amount before tax was taken."
        quantity, price = Decimal(1), net
    rate = Decimal(invoice_line.tax_rate) if invoice_line.tax_rate else Decimal(0)
    return OfferedLine(
        invoice_line.description, quantity.normalize() + 0, price, rate.normalize() + 0 if rate else None, note
    )


def _places(number: Decimal) -> int:
    power = number.normalize().as_tuple().exponent
    return max(0, -power) if isinstance(power, int) else 0


def _fits(offered_line: OfferedLine) -> bool:
    rate = offered_line.tax_rate or Decimal(0)
    return (
        offered_line.quantity > 0
        and offered_line.unit_price >= 0
        and 0 <= rate <= 100
        and _places(rate) <= RATE_PLACES
        and bool(offered_line.description)
    )


def _minor(offered_line: OfferedLine, currency: str) -> int:
    """What the line comes to with its tax, as its form and the service add it up."""
    amount = (offered_line.quantity * offered_line.unit_price.scaleb(exponent(currency))).quantize(
        Decimal(1), ROUND_HALF_UP
    )
    return int(amount + (amount * (offered_line.tax_rate or 0) / 100).quantize(Decimal(1), ROUND_HALF_UP))
