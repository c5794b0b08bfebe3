"""Accounts that money can be sent to: what each channel needs of one, and how two spellings of one are told to be it."""

import re
from dataclasses import dataclass

from schwifty import BIC, IBAN, registry
from schwifty.exceptions import InvalidCountryCode, SchwiftyException

from service.rails import catalogue

PHONE = re.compile(r"^254[17][0-9]{8}$")
SHORT_NUMBER = re.compile(r"^[0-9]{5,7}$")
KENYAN_ACCOUNT = re.compile(r"^[0-9]{6,16}$")
KENYAN_BRANCH = re.compile(r"^[0-9]{3}$")
LIKE_IBAN = re.compile(r"^[A-Z]{2}[0-9]{2}")
TO_PHONES = frozenset({"MPESA_SEND_MONEY", "MPESA_POCHI", "AIRTIME"})
PAYBILL = "MPESA_PAYBILL"
KENYAN_BANKS = frozenset({"BANK_PESALINK", "BANK_EFT", "BANK_RTGS"})
VISIBLE_DIGITS = 4
# What a BIC of eleven letters ends with that names no branch.
HEAD_OFFICE = "X" * 3


@dataclass(frozen=True, slots=True)
class Destination:
    """An account as it was given: the channel's code, the number, and what the channel needs beside it."""

    channel: str
    account: str
    bank_code: str = ""
    branch_code: str = ""
    account_reference: str = ""


def account_key(account: str) -> str:
    """The account without case, spaces and punctuation: 254-712 345678 and 254712345678 are one."""
    return re.sub(r"[^a-z0-9]", "", account.lower())


Payee = tuple[str, str, str]


def reference_key(channel: str, account_reference: str) -> str:
    """What of a reference tells payees apart, without case, spaces and punctuation: that of a paybill, which many share who
    are paid there; "" on any other channel."""
    return account_key(account_reference) if channel == PAYBILL else ""


def payee(channel: str, account: str, bank_code: str = "", account_reference: str = "") -> Payee:
    """What a payee is known by, whatever the channel: an account at a bank by the bank and its number, an IBAN by itself, a
    phone by its number, a paybill by its number and the reference there; anything else by its channel and its number.
    The number is the last of the three."""
    key = account_key(account)
    if channel in TO_PHONES:
        return "PHONE", "", key
    if not channel.startswith("BANK_"):
        return channel, reference_key(channel, account_reference), key
    is_iban = LIKE_IBAN.match(key.upper()) is not None and _has_ibans(key[:2].upper())
    return "BANK", "" if is_iban else bank_code.upper().removesuffix(HEAD_OFFICE), key


def masked(account: str) -> str:
    """What logs and the audit trail hold of an account: its last four characters."""
    return f"…{account[-VISIBLE_DIGITS:]}"


def field_messages(destination: Destination, country: str) -> dict[str, str]:
    """What keeps a business in `country` from paying there: a sentence by field, empty where nothing does."""
    known = catalogue.CHANNELS.get(destination.channel)
    if known is None or (known.countries and country not in known.countries):
        return {"channel": f"It is not available in {country}."}
    messages = {field: f"{known.name} needs it." for field in known.needs if not getattr(destination, field)}
    if problem := _account_problem(destination):
        messages["account"] = problem
    if destination.bank_code and (problem := _bank_problem(destination, country)):
        messages["bank_code"] = problem
    if (
        destination.branch_code
        and destination.channel in KENYAN_BANKS
        and not KENYAN_BRANCH.match(destination.branch_code)
    ):
        messages["branch_code"] = "A Kenyan branch code has 3 digits."
    return messages


def _account_problem(destination: Destination) -> str:
    if destination.channel in TO_PHONES and not PHONE.match(destination.account):
        return "It must be a phone number such as 254712345678."
    if destination.channel == "MPESA_TILL" and not SHORT_NUMBER.match(destination.account):
        return "A till number has 5 to 7 digits."
    if destination.channel == PAYBILL and not SHORT_NUMBER.match(destination.account):
        return "A paybill number has 5 to 7 digits."
    if destination.channel in KENYAN_BANKS and not KENYAN_ACCOUNT.match(destination.account):
        return "A Kenyan bank account has 6 to 16 digits."
    return _foreign_account_problem(destination) if destination.channel == "BANK_SWIFT" else ""


def _foreign_account_problem(destination: Destination) -> str:
    account, bank_country = destination.account.replace("-", "").upper(), destination.bank_code[4:6].upper()
    if LIKE_IBAN.match(account) and _has_ibans(account[:2]):
        try:
            IBAN(account)
        except SchwiftyException:
            return "It is not a valid IBAN: look at its length and its check digits."
    elif _has_ibans(bank_country):
        return f"A bank in {bank_country} is paid by IBAN."
    return ""


def _has_ibans(country: str) -> bool:
    """Whether the accounts of a country are IBANs: of those where a few banks alone have them, nothing is asked."""
    try:
        return not registry.get_iban_spec(country).aspirational
    except InvalidCountryCode:
        return False


def _bank_problem(destination: Destination, country: str) -> str:
    if destination.channel == "BANK_SWIFT":
        try:
            BIC(destination.bank_code)
        except SchwiftyException:
            return "It is not a valid BIC: 8 or 11 letters and digits, such as ABNANL2A."
        return ""
    banks = {code for code, _ in catalogue.banks(country)}
    return "There is no such bank: see /payments/banks." if banks and destination.bank_code not in banks else ""
