"""What an account to pay to must look like by its channel, in the sentences of the service, which holds to the same.

One rule for vendors' payment details and for rows of payouts (service/vendors/destinations.py).
"""

import re
from functools import lru_cache

from schwifty import BIC, IBAN, registry
from schwifty.exceptions import InvalidCountryCode, SchwiftyException

KENYAN_BANKS = ("BANK_PESALINK", "BANK_EFT", "BANK_RTGS")
PHONES = ("MPESA_SEND_MONEY", "MPESA_POCHI", "AIRTIME")
SWIFT = "BANK_SWIFT"
PAYBILL = "MPESA_PAYBILL"
PayeeKey = tuple[str, str, str]
# By channel: how its numbers look, and what to say of one that does not.
NUMBERS = {
    **dict.fromkeys(PHONES, (re.compile(r"254[17][0-9]{8}"), "It must be a phone number such as 254712345678.")),
    **dict.fromkeys(KENYAN_BANKS, (re.compile(r"[0-9]{6,16}"), "A Kenyan bank account has 6 to 16 digits.")),
    "MPESA_TILL": (re.compile(r"[0-9]{5,7}"), "A till number has 5 to 7 digits."),
    PAYBILL: (re.compile(r"[0-9]{5,7}"), "A paybill number has 5 to 7 digits."),
}
LIKE_IBAN = re.compile(r"[A-Z]{2}[0-9]{2}")
# What a BIC of eleven letters ends with that names no branch.
HEAD_OFFICE = "X" * 3
NO_IBAN = "It is not a valid IBAN: look at its length and its check digits."
NO_BIC = "It is not a valid BIC: 8 or 11 letters and digits, such as ABNANL2A."


def payee_key(channel: str, account: str, bank_code: str = "", account_reference: str = "") -> PayeeKey:
    """What a payee is known by, whatever the channel, as the service knows it: an account at a bank by the bank and its number,
    an IBAN by itself, a phone by its number, a paybill by its number and the reference there; anything else by its channel and
    its number. The number is the last of the three."""
    key = _as_compared(account)
    if channel in PHONES:
        return "PHONE", "", key
    if not channel.startswith("BANK_"):
        return channel, _as_compared(account_reference) if channel == PAYBILL else "", key
    is_iban = LIKE_IBAN.match(key.upper()) is not None and _has_ibans(key[:2].upper())
    return "BANK", "" if is_iban else bank_code.upper().removesuffix(HEAD_OFFICE), key


def payee_of(channel: str, account: str, reference: str, amount_minor: int) -> tuple[str, str, int]:
    """What two payments have in common that may be one: account without punctuation, of a paybill with the reference there, of
    what sort it is, and amount in minor units. An account at a bank is the same by EFT and by PesaLink, a phone the same by
    M-Pesa and by Pochi."""
    sort, reference, number = payee_key(channel, account, account_reference=reference)
    # Airtime for a phone is no money to it.
    sort = channel if channel == "AIRTIME" else sort
    return sort, f"{number}/{reference}" if reference else number, amount_minor


def _as_compared(text: str) -> str:
    """A number or a reference without case, spaces and punctuation."""
    return re.sub(r"[^a-z0-9]", "", text.lower())


def account_problem(channel: str, account: str, bank_code: str = "") -> str:
    """Why an account, written without blanks, is none of the channel's, as a sentence; "" where it may be one."""
    pattern, sentence = NUMBERS.get(channel, (None, ""))
    if pattern is not None:
        return "" if pattern.fullmatch(account) else sentence
    return _foreign_problem(account.replace("-", "").upper(), bank_code) if channel == SWIFT else ""


def _foreign_problem(account: str, bank_code: str) -> str:
    bank_country = bank_code[4:6].upper()
    if LIKE_IBAN.match(account) and _has_ibans(account[:2]):
        try:
            IBAN(account)
        except SchwiftyException:
            return NO_IBAN
    elif _has_ibans(bank_country):
        return f"A bank in {bank_country} is paid by IBAN."
    return ""


@lru_cache(maxsize=512)
def _has_ibans(country: str) -> bool:
    """Whether the accounts of a country are IBANs: of those where a few banks alone have them, nothing is asked."""
    try:
        return not registry.get_iban_spec(country).aspirational
    except InvalidCountryCode:
        return False


@lru_cache(maxsize=4096)
def is_bic(code: str) -> bool:
    """Whether a code is a BIC: 8 or 11 letters and digits, of a country that there is."""
    try:
        BIC(code)
    except SchwiftyException:
        return False
    return len(code) in (8, 11)
