"""Rows of payments as most of a long table are written, read in one go: what is looked up is looked up once for each spelling.

Only what is beyond doubt is read here. Any other row is None, and is checked cell by cell with its problems: whatever is read here is
what that would give (tests/dashboard/payouts/test_plain_rows.py compares both).
"""

import re
from collections.abc import Mapping
from decimal import Decimal
from typing import NamedTuple, Protocol

from dashboard.money import exponent, marks
from dashboard.payee_accounts import NUMBERS, PHONES
from dashboard.schemas.payments import PaymentBody

MOST_RECEIVER, MOST_NOTE, MOST_REFERENCE = 100, 200, 40
AS_DIALLED = re.compile(r"(?:\+254|254|0)(?P<number>[17][0-9]{8})")
# Twelve digits at most: far below what money can be, in any currency.
WHOLE = r"([0-9]{1,3}(?:,[0-9]{3}){1,3}|[0-9]{1,12})"


class Channels(Protocol):
    """Where money can be sent (PayoutDestinations): codes by their spellings, and what a channel needs and carries."""

    def channel_code(self, text: str) -> str:
        """The channel that is spelled so, such as MPESA for "M-Pesa"; "" for none."""

    def bank_code(self, text: str) -> str:
        """The bank that is spelled so, by name or by code; "" for none."""

    def needs(self, code: str) -> list[str]:
        """What a payment by a channel must say beside the account: `bank_code`, `account_reference`."""

    def carries(self, code: str, currency: str) -> bool:
        """Whether a channel pays in a currency."""


class _Channel(NamedTuple):
    """A channel that is written plainly: its code, how its accounts look (None: a phone), and what it needs beside one."""

    code: str
    pattern: re.Pattern[str] | None
    needs_bank: bool
    needs_reference: bool


class PlainRows:
    """Reads the rows of one table: in the currency of the wallet that pays, as its reader's locale writes numbers."""

    def __init__(self, currency: str, locale: str, channels: Channels) -> None:
        self._currency, self._known = currency, channels
        self._digits = exponent(currency)
        rest = rf"(?:\.([0-9]{{1,{self._digits}}}))?" if self._digits else "()"
        self._amount = re.compile(WHOLE + rest).fullmatch if marks(locale) == (",", ".") else None
        self._dials_zero = locale.endswith("_KE")
        self._channels: dict[str, _Channel | None] = {}
        self._banks: dict[str, str] = {}

    def read(self, values: Mapping[str, str]) -> tuple[PaymentBody, int] | None:
        """The payment as it is sent, and its amount in minor units; None where a cell is not written plainly, or is wrong."""
        get = values.get
        receiver, note, reference = get("receiver", ""), get("note", ""), get("reference", "")
        text = f"{receiver}{note}{reference}"
        if not (
            receiver and text.isascii() and text.isprintable() and len(receiver) <= MOST_RECEIVER and len(note) <= MOST_NOTE
            and len(reference) <= MOST_REFERENCE and receiver.strip() == receiver and note.strip() == note
        ):  # fmt: skip
            return None
        name = get("channel", "")
        try:
            channel = self._channels[name]
        except KeyError:
            channel = self._channels[name] = self._channel(name)
        if channel is None or self._amount is None:
            return None
        code, pattern, needs_bank, needs_reference = channel
        account = get("account", "").replace(" ", "")
        if pattern is None:
            dialled = AS_DIALLED.fullmatch(account)
            if dialled is None or (account[0] == "0" and not self._dials_zero):
                return None
            account = f"254{dialled[1]}"
        elif pattern.fullmatch(account) is None:
            return None
        amount = self._amount(get("amount", ""))
        if amount is None:
            return None
        whole, rest = amount.groups("")
        whole = whole.replace(",", "")
        minor = int(f"{whole}{rest:0<{self._digits}}")
        body: PaymentBody = {
            "receiver_name": receiver, "channel": code, "account": account,
            "amount": Decimal(f"{whole}.{rest}" if rest else whole),
        }  # fmt: skip
        if bank := get("bank", ""):
            body["bank_code"] = self._bank(bank)
            if not body["bank_code"]:
                return None
        elif needs_bank:
            return None
        if reference:
            if reference.strip() != reference:
                return None
            body["account_reference"] = reference
        elif needs_reference:
            return None
        if note:
            body["note"] = note
        return (body, minor) if minor > 0 else None

    def _channel(self, name: str) -> _Channel | None:
        code = self._known.channel_code(name)
        if code not in NUMBERS or not self._known.carries(code, self._currency):
            return None
        needs = self._known.needs(code)
        pattern = None if code in PHONES else NUMBERS[code][0]
        return _Channel(code, pattern, "bank_code" in needs, "account_reference" in needs)

    def _bank(self, name: str) -> str:
        code = self._banks.get(name)
        if code is None:
            code = self._banks[name] = self._known.bank_code(name)
        return code
