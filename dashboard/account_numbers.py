"""What an account looks like on each channel: the rules of the service, so that what it refuses is said beside the field.

Interface: Payments and Vendors, the `account` and `bank_code` of a destination.
"""

import re

from schwifty import BIC, IBAN, registry
from schwifty.exceptions import InvalidCountryCode, SchwiftyException

KENYAN_BANKS = ("BANK_PESALINK", "BANK_EFT", "BANK_RTGS")
PHONES = ("MPESA_SEND_MONEY", "MPESA_POCHI", "AIRTIME")
# By channel: how its numbers look, and what to say of one that does not.
NUMBERS = {
    **dict.fromkeys(PHONES, (re.compile(r"254[17][0-9]{8}"), "It must be a phone number such as 254712345678.")),
    **dict.fromkeys(KENYAN_BANKS, (re.compile(r"[0-9]{6,16}"), "A Kenyan bank account has 6 to 16 digits.")),
    "MPESA_TILL": (re.compile(r"[0-9]{5,7}"), "A till number has 5 to 7 digits."),
    "MPESA_PAYBILL": (re.compile(r"[0-9]{5,7}"), "A paybill number has 5 to 7 digits."),
}
LIKE_IBAN = re.compile(r"[A-Z]{2}[0-9]{2}")
NOT_AN_IBAN = "This is not a valid IBAN: look at its length and its check digits."
NOT_A_BIC = "This is not a valid BIC: 8 or 11 letters and digits, such as ABNANL2A."


def number_problem(channel: str, account: str) -> str:
    """Why a channel of Kenya does not take the account, as a sentence; "" where it does, or the channel has no such rule."""
    pattern, sentence = NUMBERS.get(channel, (None, ""))
    return sentence if pattern is not None and not pattern.fullmatch(account) else ""


def foreign_account_problem(account: str, bic: str) -> str:
    """Why SWIFT does not take the account at the bank of that BIC ("" where it is not known), as a sentence; "" where it does.

    Where a country has no IBANs, the number is the bank's own and nothing is asked of it.
    """
    compact, country = account.replace("-", "").upper(), bic[4:6].upper()
    if LIKE_IBAN.match(compact) and _has_ibans(compact[:2]):
        try:
            IBAN(compact)
        except SchwiftyException:
            return NOT_AN_IBAN
        return ""
    return f"A bank in {country} is paid by IBAN." if _has_ibans(country) else ""


def is_bic(code: str) -> bool:
    """Whether it is the code of a bank that SWIFT knows how to read."""
    try:
        BIC(code)
    except SchwiftyException:
        return False
    return True


def _has_ibans(country: str) -> bool:
    # Of countries where a few banks alone have them, nothing is asked.
    try:
        return not registry.get_iban_spec(country).aspirational
    except InvalidCountryCode:
        return False
