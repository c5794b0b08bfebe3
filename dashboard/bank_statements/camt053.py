"""camt.053, the statement of ISO 20022. Only booked entries count; a DTD, and so any entity, is refused."""

from collections.abc import Iterator
from datetime import date
from itertools import count
from xml.etree.ElementTree import Element, ParseError

from defusedxml import DefusedXmlException
from defusedxml.ElementTree import fromstring

from dashboard.bank_statements.statement import (
    ParsedStatement,
    StatementLine,
    joined_statements,
    minor_of,
    read_parts,
    refuse,
    single_line,
)

NAME = "CAMT053"
OPENING, CLOSING = ("OPBD", "PRCD"), ("CLBD",)
NO_REFERENCE = {"", "NOTPROVIDED", "NONREF"}


def parse(content: bytes) -> ParsedStatement:
    """The statement of a file; StatementError for broken XML, a DTD, or what is no statement, and for each entry that is wrong."""
    try:
        root = fromstring(content, forbid_dtd=True)
    except DefusedXmlException:
        raise refuse("The file declares a document type or entities: that is refused.") from None
    except (ParseError, ValueError, LookupError) as wrong:
        raise refuse(f"The XML is broken: {single_line(wrong, 120)}.") from None
    statements = list(_all(root, "Stmt"))
    if not statements:
        raise refuse("The XML is not a camt.053 statement.")
    rows = count(1)
    return joined_statements(read_parts(statements, lambda element: _statement(element, rows)))


def _local(element: Element) -> str:
    return str(element.tag).rsplit("}", 1)[-1]


def _all(element: Element, *path: str) -> Iterator[Element]:
    """The elements at a path below this one; a single name is looked for at any depth."""
    if len(path) == 1 and path[0] == "Stmt":
        yield from (child for child in element.iter() if _local(child) == "Stmt")
        return
    for child in element:
        if _local(child) == path[0]:
            if len(path) == 1:
                yield child
            else:
                yield from _all(child, *path[1:])


def _text(element: Element, *path: str) -> str:
    element_there = next(_all(element, *path), None)
    return single_line(element_there.text, 500) if element_there is not None else ""


def _day(text: str, row: int = 0) -> date:
    try:
        return date.fromisoformat(text[:10])
    except ValueError:
        raise refuse("The date is not written as 2026-03-31.", row) from None


def _statement(element: Element, rows: Iterator[int]) -> ParsedStatement:
    balances = list(_all(element, "Bal"))
    opening, closing = _balance(balances, OPENING), _balance(balances, CLOSING)
    if opening is None or closing is None:
        raise refuse("The statement has no opening or no closing balance.")
    currency = _currency(closing)
    entries = zip(_all(element, "Ntry"), rows, strict=False)
    lines = [line for line in read_parts(entries, lambda entry: _line(*entry, currency)) if line]
    account = _text(element, "Acct", "Id", "IBAN") or _text(element, "Acct", "Id", "Othr", "Id")
    days = [line.day for line in lines]
    begins, ends = _text(element, "FrToDt", "FrDtTm") or _text(element, "FrToDt", "FrDt"), ""
    ends = _text(element, "FrToDt", "ToDtTm") or _text(element, "FrToDt", "ToDt")
    last = _day(ends) if ends else max([_balance_day(closing), *days])
    first = _day(begins) if begins else min([*days, last])
    return ParsedStatement(
        NAME, account[:40], currency, first, last, _signed(opening, currency), _signed(closing, currency), lines
    )


def _balance(balances: list[Element], codes: tuple[str, ...]) -> Element | None:
    by_code = {_text(balance, "Tp", "CdOrPrtry", "Cd"): balance for balance in balances}
    return next((by_code[code] for code in codes if code in by_code), None)


def _balance_day(balance: Element) -> date:
    return _day(_text(balance, "Dt", "Dt") or _text(balance, "Dt", "DtTm"))


def _currency(element: Element) -> str:
    amount = next(_all(element, "Amt"), None)
    currency = single_line(amount.get("Ccy"), 3) if amount is not None else ""
    if not (len(currency) == 3 and currency.isascii() and currency.isupper()):
        raise refuse("An amount has no currency.")
    return currency


def _signed(element: Element, currency: str, row: int = 0) -> int:
    if _currency(element) != currency:
        raise refuse(f"The amount is not in {currency}.", row)
    minor, direction = minor_of(_text(element, "Amt"), currency, row), _text(element, "CdtDbtInd")
    if direction not in {"CRDT", "DBIT"}:
        raise refuse("The entry does not say whether money came in or went out.", row)
    return minor if direction == "CRDT" else -minor


def _line(entry: Element, row: int, currency: str) -> StatementLine | None:
    status = _text(entry, "Sts", "Cd") or _text(entry, "Sts")
    if status and status != "BOOK":
        return None
    day = next(
        (text for place in ("BookgDt", "ValDt") for kind in ("Dt", "DtTm") if (text := _text(entry, place, kind))), ""
    )
    details = list(_all(entry, "NtryDtls", "TxDtls"))
    texts = [_text(entry, "AddtlNtryInf")]
    references = []
    for detail in details:
        texts += [single_line(child.text, 300) for child in _all(detail, "RmtInf", "Ustrd")]
        texts += [_text(detail, "RltdPties", side, *pty, "Nm") for side in ("Cdtr", "Dbtr") for pty in ((), ("Pty",))]
        references += [_text(detail, "Refs", "EndToEndId"), _text(detail, "RmtInf", "Strd", "CdtrRefInf", "Ref")]
    reference = next((text for text in references if text not in NO_REFERENCE), "") or _text(entry, "NtryRef")
    return StatementLine(
        row, _day(day, row), _signed(entry, currency, row), single_line(" ".join(filter(None, texts)), 300), reference[:100],
        _text(entry, "AcctSvcrRef")[:100],
    )  # fmt: skip
