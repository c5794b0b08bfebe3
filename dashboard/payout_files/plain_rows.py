"""Rows of payments as most of a long table are written, found right all at once, or read in one go: what is looked up is looked up
once for each spelling.

Only what is beyond doubt is read here. Any other row is None, and is checked cell by cell with its problems: whatever is read here is
what that would give, and whatever is found right is read here (tests/dashboard/payouts/test_plain_rows.py compares all three).
"""

import re
from collections.abc import Collection, Mapping, Sequence
from decimal import Decimal
from operator import itemgetter
from typing import NamedTuple, Protocol

from dashboard.money import exponent, marks
from dashboard.payee_accounts import NUMBERS, PHONES
from dashboard.schemas.payments import PaymentBody

MOST_RECEIVER, MOST_NOTE, MOST_REFERENCE = 100, 200, 40
AS_DIALLED = re.compile(r"(?:\+254|254|0)(?P<number>[17][0-9]{8})")
# Twelve digits at most: far below what money can be, in any currency.
WHOLE = r"([0-9]{1,3}(?:,[0-9]{3}){1,3}|[0-9]{1,12})"
# What stands between the cells of a row, and after it, where rows are looked at all at once: neither is in a cell that is right.
BETWEEN, AFTER = "\x1f", "\n"
ANY_CELL = rf"[^{BETWEEN}{AFTER}]*+"
# How the spellings of a long table are found: those of its first rows, and of some of the others. Whatever is spelled otherwise is read
# by itself. A prime number: what comes every second or every tenth row is among them.
FIRST_ROWS, EVERY = 100, 23
# The columns whose cells are judged by the channel.
BY_CHANNEL = ("channel", "account", "bank", "reference")
# More spellings of channels or of banks than this, and the pattern takes longer than the rows.
MOST_SPELLINGS = 60


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
        if get("currency", "") not in ("", self._currency):
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

    def in_doubt(self, heading: Sequence[str], rows: Sequence[Sequence[str]]) -> list[int]:
        """The places of the rows that are not plainly right. Every other row is one that `read` reads."""
        text = AFTER.join(map(BETWEEN.join, rows)) + AFTER
        # A cell that holds what stands between cells or rows would count as two of them.
        are_apart = text.count(AFTER) == len(rows) and text.count(BETWEEN) == sum(map(len, rows)) - len(rows)
        pattern = self._table_pattern(heading, rows) if are_apart else None
        if pattern is None:
            return list(range(len(rows)))
        doubtful, begins, place = list[int](), 0, 0
        while begins < len(text):
            run = pattern.match(text, begins)
            ends = run.end() if run else begins
            place += text.count(AFTER, begins, ends)
            if ends == len(text):
                break
            doubtful.append(place)
            place += 1
            begins = text.index(AFTER, ends) + 1
        return doubtful

    def _table_pattern(self, heading: Sequence[str], rows: Sequence[Sequence[str]]) -> re.Pattern[str] | None:
        """What as many rows as possible from a place on are, one after the other; None where nothing is plainly right."""
        sampled_rows = [*rows[:FIRST_ROWS], *rows[FIRST_ROWS::EVERY]]
        names, banks = (_spellings(heading, sampled_rows, column) for column in ("channel", "bank"))
        if self._amount is None or not names or max(len(names), len(banks)) > MOST_SPELLINGS:
            return None
        known_banks = [re.escape(name) for name in sorted(banks) if name and self._bank(name)]
        own = [place for place, column in enumerate(heading) if column in BY_CHANNEL]
        first, last = min(own), max(own) + 1
        ways = []
        for name in sorted(names):
            channel = self._channel(name) if name else None
            if channel is not None and _required(channel) <= {*heading}:
                way = self._cells_of(re.escape(name), channel, known_banks)
                ways.append(BETWEEN.join(way.get(column, ANY_CELL) for column in heading[first:last]))
        if not ways:
            return None
        free = {
            "receiver": _text(MOST_RECEIVER), "note": _optional(MOST_NOTE), "amount": self._amount_cell(),
            "currency": self._currency_cell(),
        }  # fmt: skip
        before, after = (
            "".join(free.get(column, ANY_CELL) + BETWEEN for column in heading[:first]),
            "".join(BETWEEN + free.get(column, ANY_CELL) for column in heading[last:]),
        )
        return re.compile(f"(?:{before}(?:{'|'.join(ways)}){after}{AFTER})*+")

    def _cells_of(self, name: str, channel: _Channel, banks: Sequence[str]) -> dict[str, str]:
        """What the cells of a payment by a channel are."""
        if channel.pattern is None:
            begins = r"(?:0|\+?+254)" if self._dials_zero else r"\+?+254"
            account = f"{begins} ?+[17][0-9][0-9] ?+[0-9][0-9][0-9] ?+[0-9][0-9][0-9]"
        else:
            account = f"(?>{channel.pattern.pattern})"
        bank = f"(?:{'|'.join(banks) or '(?!)'})"
        return {
            "channel": name, "account": account, "bank": bank if channel.needs_bank else f"{bank}?+",
            "reference": (_text if channel.needs_reference else _optional)(MOST_REFERENCE),
            "receiver": _text(MOST_RECEIVER), "note": _optional(MOST_NOTE), "amount": self._amount_cell(),
            "currency": self._currency_cell(),
        }  # fmt: skip

    def _currency_cell(self) -> str:
        return f"(?:{self._currency})?+"

    def _amount_cell(self) -> str:
        rest = rf"(?:\.[0-9]{{1,{self._digits}}}+)?+" if self._digits else ""
        # Above zero, and as many digits as `read` reads; most begin with another digit than 0.
        thousands = "(?:,[0-9][0-9][0-9]){1,3}+"
        plain = f"[1-9][0-9]{{0,2}}+(?:{thousands}|[0-9]{{0,9}}+)"
        return rf"(?:{plain}|(?=0[0,.]*+[1-9])(?:[0-9]{{1,3}}+{thousands}|[0-9]{{1,12}}+)){rest}"

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


def _spellings(heading: Sequence[str], rows: Sequence[Sequence[str]], column: str) -> Collection[str]:
    """How the cells of a column are written in a table."""
    if column not in heading:
        return ()
    place = heading.index(column)
    try:
        return set(map(itemgetter(place), rows))
    except IndexError:
        # Some rows end before it.
        return {row[place] for row in rows if len(row) > place}


def _required(channel: _Channel) -> set[str]:
    """The columns without which nothing is paid by a channel."""
    needs = {"bank": channel.needs_bank, "reference": channel.needs_reference}
    return {"receiver", "channel", "account", "amount"} | {column for column, is_needed in needs.items() if is_needed}


def _text(most: int) -> str:
    """A printable text without blanks at its ends."""
    return rf"(?! )[ -~]{{1,{most}}}+(?<! )"


def _optional(most: int) -> str:
    """The same, or nothing."""
    return rf"(?:{_text(most)})?+"
