"""The table of a new payout: its rows checked one by one as the service would, and made into the payments of a batch."""

import re
from collections.abc import Mapping, Sequence
from decimal import Decimal
from hashlib import sha256
from typing import cast

from schwifty import IBAN
from schwifty.exceptions import SchwiftyException

from dashboard import inputs
from dashboard.errors import FinanceError
from dashboard.inputs import LARGEST_MINOR, InputError, whole_number
from dashboard.pages.payouts.selectors.payouts import PayoutDestinations
from dashboard.payee_accounts import NO_BIC, PayeeKey, account_problem, is_bic, payee_key
from dashboard.payout_files.payment_lines import PaymentLine as PaymentLine
from dashboard.payout_files.payment_lines import TableLines as TableLines
from dashboard.payout_files.plain_rows import PlainRows
from dashboard.phones import PhoneError, e164
from dashboard.schemas.payments import PaymentBody

MAX_ROWS = 5_000
# What people call the columns of such a table, by our names.
COLUMNS = {
    "receiver": "receiver", "receiver name": "receiver", "name": "receiver", "payee": "receiver", "beneficiary": "receiver",
    "recipient": "receiver", "channel": "channel", "method": "channel", "payment method": "channel", "account": "account",
    "account number": "account", "account no": "account", "phone": "account", "phone number": "account", "number": "account",
    "bank": "bank", "bank code": "bank", "reference": "reference", "account reference": "reference", "amount": "amount",
    "note": "note", "narration": "note", "description": "note", "currency": "currency", "currency code": "currency", "ccy": "currency",
}  # fmt: skip
FIELDS = ("receiver", "channel", "account", "bank", "reference", "amount", "currency", "note")
# What a table says of each payment that is not sent: the wallet pays its own currency, which this must be.
CURRENCY = "currency"
REQUIRED = ("receiver", "channel", "account", "amount")
# The service's names of our columns.
SENT_AS = {"receiver": "receiver_name", "bank": "bank_code", "reference": "account_reference"}
LONGEST = {"receiver": 100, "note": 200, "reference": 40}
ACCOUNT = re.compile(r"[A-Za-z0-9][A-Za-z0-9\-]{2,33}")
TO_PHONES = frozenset({"MPESA_SEND_MONEY", "MPESA_POCHI", "AIRTIME"})
KENYAN_MOBILE = re.compile(r"254[17][0-9]{8}")
AS_DIALLED = re.compile(r"(?:\+254|254|0)(?P<number>[17][0-9]{8})")
LIKE_IBAN = re.compile(r"[A-Z]{2}[0-9]{2}[A-Z0-9]{10,30}")
WITH_CURRENCY = re.compile(r"([A-Z]{3})(?![A-Z])")
CORRECTION = "cell-"
VENDOR_OF = re.compile(r"[0-9a-f]{16}=[0-9A-Za-z_-]{1,64}")
ITEM_FIELD = re.compile(r"(?:body\.)?items\.(?P<place>[0-9]{1,5})\.(?P<name>[a-z_]+)")
# What a payment ends as that did not reach its receiver.
NOT_PAID = frozenset({"FAILED", "RETURNED"})


def with_corrections(table_lines: TableLines, data: Mapping[str, str]) -> TableLines:
    """The lines with the cells that were corrected on the page: fields of the form called "cell-<row>-<column>"."""
    if not any(name.startswith(CORRECTION) for name in data):
        return table_lines
    places = table_lines.places_by_number()
    for name in data:
        number, _, column = name.removeprefix(CORRECTION).partition("-")
        place = places.get(whole_number(number, LARGEST_MINOR) or 0)
        if name.startswith(CORRECTION) and column in FIELDS and place is not None:
            table_lines[place].values[column] = data[name].strip()
    return table_lines


def check_lines(
    lines: Sequence[PaymentLine], currency: str, locale: str, destinations: PayoutDestinations
) -> list[PaymentLine]:
    """Sets on each line its problems, or its body and amount where it has none; the lines that have some.

    `currency` is the paying wallet's. A line is checked by the rules of the service, which checks it again.
    """
    plain = PlainRows(currency, locale, destinations)
    checked = lines.in_doubt(plain) if isinstance(lines, TableLines) else lines
    for line in checked:
        read = None if line.problems else plain.read(line.values)
        if read is None:
            _check(line, currency, locale, destinations)
        else:
            line.body, line.amount_minor = read
    return [line for line in checked if line.problems]


def _check(line: PaymentLine, currency: str, locale: str, destinations: PayoutDestinations) -> None:
    values = {name: line.values.get(name, "") for name in FIELDS}
    for name in ("receiver", "note", "reference"):
        values[name] = _text(line, name, values[name])
    if not values["receiver"]:
        line.problems.setdefault("receiver", "missing")
    code = values["channel"] = _channel(line, values["channel"], currency, destinations)
    values["account"] = _account(line, values["account"], code, locale)
    values["bank"] = _bank(line, values["bank"], code, destinations)
    if "account" not in line.problems and (problem := account_problem(code, values["account"], values["bank"])):
        line.problems["account"] = problem
    if "account_reference" in destinations.needs(code) and not values["reference"]:
        line.problems.setdefault("reference", f"{destinations.name(code)} needs it")
    amount = _amount(line, values["amount"], currency, locale)
    if (named := values.pop(CURRENCY).upper()) and named != currency:
        line.problems[CURRENCY] = f"the wallet pays {currency}"
    if not line.problems:
        sent = {SENT_AS.get(name, name): value for name, value in values.items() if value}
        line.body = cast(PaymentBody, {**sent, "amount": amount})


def vendors_text(vendors: Mapping[PayeeKey, str]) -> str:
    """The vendors of a table that a source filled, as its form carries them: whom an account belongs to, without the account."""
    return " ".join(f"{_account_mark(payee)}={vendor_id}" for payee, vendor_id in vendors.items())


def name_vendors(lines: Sequence[PaymentLine], vendors: str) -> None:
    """Names in the payments of lines without a problem the vendor whose account they go to, of those that a form carries."""
    marks = dict(entry.split("=", 1) for entry in vendors.split() if VENDOR_OF.fullmatch(entry))
    for line in lines:
        if line.body and (vendor_id := marks.get(_account_mark(_payee_of_body(line.body)))):
            line.body["vendor_id"] = vendor_id


def _account_mark(payee: PayeeKey) -> str:
    return sha256("\x1f".join(payee).encode()).hexdigest()[:16]


def _payee_of_body(body: PaymentBody) -> PayeeKey:
    bank, reference = body.get("bank_code") or "", body.get("account_reference") or ""
    return payee_key(body["channel"], body["account"], bank, reference)


def _text(line: PaymentLine, name: str, value: str) -> str:
    try:
        text = inputs.plain(value)
    except InputError as wrong:
        line.problems.setdefault(name, str(wrong))
        return ""
    if len(text) > LONGEST[name]:
        line.problems.setdefault(name, f"at most {LONGEST[name]} characters")
    elif text and not inputs.is_visible(text):
        line.problems.setdefault(name, "blank")
    return text


def _channel(line: PaymentLine, value: str, currency: str, destinations: PayoutDestinations) -> str:
    code = destinations.channel_code(value)
    if not code:
        line.problems["channel"] = "unknown channel" if value else "missing"
    elif not destinations.carries(code, currency):
        line.problems["channel"] = f"{destinations.name(code)} does not carry {currency}"
    return code


def _account(line: PaymentLine, value: str, code: str, locale: str) -> str:
    account = re.sub(r"\s", "", value)
    if code in TO_PHONES:
        account = _mobile(value, account, locale)
        if not KENYAN_MOBILE.fullmatch(account):
            line.problems["account"] = "not a Kenyan mobile number" if value else "missing"
    elif not ACCOUNT.fullmatch(account):
        line.problems["account"] = "letters, digits and hyphens, 3 to 34 of them" if value else "missing"
    return account


def _mobile(value: str, digits: str, locale: str) -> str:
    """The number as E.164; "" for none. `digits` is the value without blanks: as most are written, it says enough."""
    if (match := AS_DIALLED.fullmatch(digits)) and (locale.endswith("_KE") or not digits.startswith("0")):
        return f"254{match['number']}"
    try:
        return e164(value, locale)
    except PhoneError:
        return ""


def _bank(line: PaymentLine, value: str, code: str, destinations: PayoutDestinations) -> str:
    if not value:
        if "bank_code" in destinations.needs(code):
            line.problems["bank"] = f"{destinations.name(code)} needs it"
        return ""
    known = destinations.bank_code(value)
    if code == "BANK_SWIFT":
        if not is_bic(known or value):
            line.problems["bank"] = NO_BIC
        return (known or value).upper()
    if not known:
        line.problems["bank"] = "unknown bank"
    return known


def _amount(line: PaymentLine, value: str, currency: str, locale: str) -> Decimal:
    named = WITH_CURRENCY.match(value)
    if named and named[1] != currency:
        line.problems["amount"] = f"in {named[1]}, but the wallet pays {currency}"
        return Decimal(0)
    try:
        amount = inputs.amount(value.removeprefix(currency).strip(), locale) if value else Decimal(0)
        line.amount_minor = inputs.typed_minor(amount, currency)
    except InputError as wrong:
        line.problems["amount"] = str(wrong)
        return Decimal(0)
    if line.amount_minor <= 0:
        line.problems["amount"] = "missing" if not value else "must be above zero"
    return amount


def table_hash(lines: Sequence[PaymentLine]) -> str:
    """What a table is known again by, whatever its order, its file and its notes: whom it pays, where and how much."""
    payees = sorted("\x1f".join((*map(str, line.payee), line.body["receiver_name"].casefold())) for line in lines)
    return sha256("\x1e".join(payees).encode()).hexdigest()


def place_refusals(lines: Sequence[PaymentLine], refused: FinanceError) -> list[PaymentLine]:
    """Puts what the service refused of the payments that were sent (`items.3.account`) onto the cells of their rows; the rows
    that it refused something of, in their order."""
    for problem in refused.fields:
        if match := ITEM_FIELD.fullmatch(problem.field):
            place, name = int(match["place"]), match["name"]
            if place < len(lines):
                ours = {service: name for name, service in SENT_AS.items()}.get(name, name)
                lines[place].problems.setdefault(ours if ours in FIELDS else "receiver", problem.message)
    return [line for line in lines if line.problems]


def repeated_lines(lines: Sequence[PaymentLine]) -> list[tuple[PaymentLine, int]]:
    """The lines that pay the same amount to the same account as an earlier one, each with the number of that."""
    first: dict[tuple[str, str, int], int] = {}
    repeated = []
    for line in lines:
        earlier = first.setdefault(line.payee, line.number)
        if earlier != line.number:
            repeated.append((line, earlier))
    return repeated


def lines_text(lines: Sequence[PaymentLine]) -> str:
    """The table as it is pasted, with what was corrected: each row at its number, so that errors keep theirs."""
    names = named_fields(lines)
    rows = {1: "\t".join(names)} | {
        line.number: "\t".join(_quoted(line.values.get(name, "")) for name in names) for line in lines
    }
    return "\n".join(rows.get(number, "") for number in range(1, max(rows) + 1))


def named_fields(lines: Sequence[PaymentLine]) -> list[str]:
    """Our columns of a table, that of currencies only where a row names one."""
    has_currency = any(line.values.get(CURRENCY) for line in lines)
    return [name for name in FIELDS if name != CURRENCY or has_currency]


def cells_text(cells: Sequence[Sequence[str]]) -> str:
    """A table as it is pasted, with its own first line."""
    return "\n".join("\t".join(_quoted(cell) for cell in row) for row in cells)


def _quoted(value: str) -> str:
    return '"{}"'.format(value.replace('"', '""')) if re.search(r'["\t\n]', value) else value


def iban_of(account: str) -> str | None:
    """The account as an IBAN without spaces and hyphens; None where it is none, or its check digits are wrong."""
    compact = account.replace("-", "").replace(" ", "").upper()
    try:
        return str(IBAN(compact)) if LIKE_IBAN.fullmatch(compact) else None
    except SchwiftyException:
        return None
