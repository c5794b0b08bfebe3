"""The e-invoice in a document: Factur-X and ZUGFeRD (CII), or UBL. External entities and document types are refused."""

from collections.abc import Iterable, Sequence
from datetime import date
from decimal import Decimal, InvalidOperation
from itertools import islice
from xml.etree.ElementTree import Element, ParseError

from defusedxml import DefusedXmlException
from defusedxml.ElementTree import fromstring

from dashboard.documents import limits
from dashboard.documents.payment_accounts import exact_account
from dashboard.documents.readings import InvoiceLine, Reading, Value

CII = "CrossIndustryInvoice"
UBL = {"Invoice", "CreditNote"}
# The types of a document (UNTDID 1001) that lower what is owed: credit notes, also factored, self-billed or for goods.
CREDIT_NOTES = {"81", "83", "261", "262", "296", "308", "381", "396", "420", "458", "532"}
# Where the account stands that is to be paid to, below the settlement.
CII_ACCOUNT = ("SpecifiedTradeSettlementPaymentMeans", "PayeePartyCreditorFinancialAccount")
# A longer one is no bill's: it would not fit into its field, and half a number is none.
LONGEST_NUMBER = 60
# More lines than a bill takes are not read, but that they are too many.
MOST_LINES = 201
LONGEST_DESCRIPTION = 200


def read_e_invoice(content: bytes) -> Reading | None:
    """What the XML says; None where it is no e-invoice, is damaged, or brings a document type or entities with it."""
    root = _root(content)
    if isinstance(root, str):
        return None
    name = _local(root)
    if name == CII:
        return _cii(root)
    return _ubl(root) if name in UBL else None


def unread_reason(content: bytes) -> str:
    """Why XML was not read, a key of readings.UNREAD; "" where it can be read, whatever it is."""
    root = _root(content)
    return root if isinstance(root, str) else ""


def _root(content: bytes) -> Element | str:
    if len(content) > limits.MOST_XML:
        return "large"
    try:
        return fromstring(content, forbid_dtd=True, forbid_entities=True, forbid_external=True)
    except DefusedXmlException:
        return "refused"
    except (ParseError, ValueError, LookupError):
        return "damaged"


def _local(element: Element) -> str:
    return str(element.tag).rpartition("}")[2]


def _find(element: Element, *path: str) -> Iterable[Element]:
    """The elements at a path of names, whatever prefixes their namespaces have."""
    if not path:
        yield element
        return
    for child in element:
        if _local(child) == path[0]:
            yield from _find(child, *path[1:])


def _text(element: Element, *paths: tuple[str, ...]) -> str:
    for path in paths:
        for node in _find(element, *path):
            if text := (node.text or "").strip():
                return text
    return ""


def _cii(root: Element) -> Reading:
    deal = "SupplyChainTradeTransaction"
    settled = (deal, "ApplicableHeaderTradeSettlement")
    sums = (*settled, "SpecifiedTradeSettlementHeaderMonetarySummation")
    return _reading(
        merchant=_text(root, (deal, "ApplicableHeaderTradeAgreement", "SellerTradeParty", "Name")),
        day=_text(root, ("ExchangedDocument", "IssueDateTime", "DateTimeString")),
        total=_text(root, (*sums, "GrandTotalAmount"), (*sums, "DuePayableAmount")),
        tax=_text(root, (*sums, "TaxTotalAmount")),
        currency=_text(root, (*settled, "InvoiceCurrencyCode")),
        number=_text(root, ("ExchangedDocument", "ID")),
        due=_text(root, (*settled, "SpecifiedTradePaymentTerms", "DueDateDateTime", "DateTimeString")),
        payable=_text(root, (*sums, "DuePayableAmount")),
        corrects=_text(root, (*settled, "InvoiceReferencedDocument", "IssuerAssignedID")),
        account=_text(root, (*settled, *CII_ACCOUNT, "IBANID"), (*settled, *CII_ACCOUNT, "ProprietaryID")),
        is_credit_note=_text(root, ("ExchangedDocument", "TypeCode")) in CREDIT_NOTES,
        lines=_lines(_find(root, deal, "IncludedSupplyChainTradeLineItem"), CII_LINE),
    )


def _ubl(root: Element) -> Reading:
    seller = ("AccountingSupplierParty", "Party")
    return _reading(
        merchant=_text(root, (*seller, "PartyLegalEntity", "RegistrationName"), (*seller, "PartyName", "Name")),
        day=_text(root, ("IssueDate",)),
        total=_text(root, ("LegalMonetaryTotal", "TaxInclusiveAmount"), ("LegalMonetaryTotal", "PayableAmount")),
        tax=_text(root, ("TaxTotal", "TaxAmount")),
        currency=_text(root, ("DocumentCurrencyCode",)),
        number=_text(root, ("ID",)),
        due=_text(root, ("DueDate",), ("PaymentMeans", "PaymentDueDate")),
        payable=_text(root, ("LegalMonetaryTotal", "PayableAmount")),
        corrects=_text(root, ("BillingReference", "InvoiceDocumentReference", "ID")),
        account=_text(root, ("PaymentMeans", "PayeeFinancialAccount", "ID")),
        is_credit_note=_local(root) == "CreditNote" or _text(root, ("InvoiceTypeCode",)) in CREDIT_NOTES,
        lines=_lines(_find(root, "InvoiceLine"), UBL_LINE),
    )


def _reading(
    *, merchant: str, day: str, total: str, tax: str, currency: str, number: str, due: str, payable: str, corrects: str,
    account: str, is_credit_note: bool, lines: tuple[InvoiceLine, ...],
) -> Reading:  # fmt: skip
    return Reading(
        source="e-invoice",
        merchant=Value(merchant[:120], "exact") if merchant else None,
        date=_day(day),
        total=_amount(total),
        tax=_amount(tax),
        currency=Value(currency, "exact") if len(currency) == 3 and currency.isalpha() and currency.isupper() else None,
        number=_number(number),
        due=_day(due),
        payable=_amount(payable),
        corrects=_number(corrects),
        account=exact_account(account),
        is_credit_note=is_credit_note,
        lines=lines,
        words=merchant[:200],
    )


# Where the parts of a line stand: description, quantity, price, how much that price is for, amount before tax, rate.
CII_LINE: Sequence[tuple[tuple[str, ...], ...]] = (
    (("SpecifiedTradeProduct", "Name"), ("SpecifiedTradeProduct", "Description")),
    (("SpecifiedLineTradeDelivery", "BilledQuantity"),),
    (("SpecifiedLineTradeAgreement", "NetPriceProductTradePrice", "ChargeAmount"),),
    (("SpecifiedLineTradeAgreement", "NetPriceProductTradePrice", "BasisQuantity"),),
    (("SpecifiedLineTradeSettlement", "SpecifiedTradeSettlementLineMonetarySummation", "LineTotalAmount"),),
    (("SpecifiedLineTradeSettlement", "ApplicableTradeTax", "RateApplicablePercent"),),
)
UBL_LINE: Sequence[tuple[tuple[str, ...], ...]] = (
    (("Item", "Name"), ("Item", "Description")),
    (("InvoicedQuantity",),),
    (("Price", "PriceAmount"),),
    (("Price", "BaseQuantity"),),
    (("LineExtensionAmount",),),
    (("Item", "ClassifiedTaxCategory", "Percent"),),
)


def _lines(items: Iterable[Element], paths: Sequence[tuple[tuple[str, ...], ...]]) -> tuple[InvoiceLine, ...]:
    """All lines of an invoice; none where one of them says no amount, or something that is no number."""
    lines: list[InvoiceLine] = []
    for item in islice(items, MOST_LINES):
        description, *numbers = (_text(item, *of) for of in paths)
        quantity, price, basis, net, rate = (_amount(text) for text in numbers)
        if net is None or any(
            text and value is None for text, value in zip(numbers, (quantity, price, basis, net, rate), strict=True)
        ):
            return ()
        is_priced = quantity is not None and price is not None and (basis is None or basis.decimal == 1)
        lines.append(
            InvoiceLine(
                description[:LONGEST_DESCRIPTION],
                quantity.text if quantity and is_priced else "1",
                price.text if price and is_priced else net.text,
                net.text,
                rate.text if rate else "",
            )
        )
    return tuple(lines)


def _number(text: str) -> Value | None:
    return Value(text, "exact") if 0 < len(text) <= LONGEST_NUMBER else None


def _amount(text: str) -> Value | None:
    try:
        amount = Decimal(text)
    except InvalidOperation:
        return None
    return Value(str(amount), "exact") if amount.is_finite() and abs(amount) < 10**15 else None


def _day(text: str) -> Value | None:
    """20261118 in CII, 2026-11-18 in UBL."""
    digits = text.replace("-", "")[:8]
    try:
        return Value(date(int(digits[:4]), int(digits[4:6]), int(digits[6:8])).isoformat(), "exact")
    except ValueError:
        return None
