"""Accounts that money can be sent to: what each channel needs of one, and how two spellings of one are told to be it."""

import re

from service.rails import catalogue

PHONE = re.compile(r"^254[17][0-9]{8}$")
TO_PHONES = frozenset({"MPESA_SEND_MONEY", "MPESA_POCHI", "AIRTIME"})
VISIBLE_DIGITS = 4


def account_key(account: str) -> str:
    """The account without case, spaces and punctuation: 254-712 345678 and 254712345678 are one."""
    return re.sub(r"[^a-z0-9]", "", account.lower())


def payee(channel: str, account: str) -> tuple[str, str]:
    """What a payee is known by: the channel and the normalised account."""
    return channel, account_key(account)


def masked(account: str) -> str:
    """What logs and the audit trail hold of an account: its last four characters."""
    return f"…{account[-VISIBLE_DIGITS:]}"


def field_messages(channel: str, account: str, bank_code: str, account_reference: str, country: str) -> dict[str, str]:
    """What keeps a business in `country` from paying there: a sentence by field, empty where nothing does."""
    known = catalogue.CHANNELS.get(channel)
    if known is None or (known.countries and country not in known.countries):
        return {"channel": f"It is not available in {country}."}
    given = {"bank_code": bank_code, "account_reference": account_reference}
    messages = {field: f"{known.name} needs it." for field in known.needs if not given[field]}
    if channel in TO_PHONES and not PHONE.match(account):
        messages["account"] = "It must be a phone number such as 254712345678."
    banks = {code for code, _ in catalogue.banks(country)}
    if bank_code and banks and channel != "BANK_SWIFT" and bank_code not in banks:
        messages["bank_code"] = "There is no such bank: see /payments/banks."
    return messages
