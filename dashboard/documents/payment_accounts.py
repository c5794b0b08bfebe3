"""The accounts that a document asks to be paid on: a till, a paybill with the account there, a phone, an account at a bank, an IBAN.

Found by the words before them, or by the check digits of an IBAN. As text one is its sort, its number and, of a paybill, the
reference there: "till 512345", "paybill 400200 INV-7". It is shown by its last characters alone. Runs in the program, too.
"""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import accumulate

from dashboard.documents.lines import DocumentLine
from dashboard.documents.readings import Sureness, Value

VISIBLE = 4
NO = r"(?:\s*(?:no|number|nr|num|#)\b)?\s*[.:#]*\s*"
TILL = re.compile(rf"\b(?:till|buy goods(?: till)?){NO}(\d{{5,7}})(?!\d)", re.IGNORECASE)
PAYBILL = re.compile(rf"\bpay\s?bill{NO}(\d{{5,7}})(?!\d)", re.IGNORECASE)
PHONE = re.compile(
    r"\bm-?pesa\b(?:\s+(?:no|number|phone|to|mobile))*\s*[.:#]*\s*(?:\+?254|0)([17]\d{2}[ -]?\d{3}[ -]?\d{3})(?!\d)",
    re.IGNORECASE,
)
BANK = re.compile(
    r"\b(?:a/c|acct?|account)\b\.?\s*(?:no|number|nr|num|#)\b\s*[.:#]*\s*(\d[\d -]{4,20}\d)(?![\d-])", re.IGNORECASE
)
REFERENCE = re.compile(
    r"\b(?:a/c|acct?|account|ref(?:erence)?)\b\.?(?:\s*(?:no|number|nr|ref(?:erence)?|#)\b)?\s*[.:#]*\s*([A-Z0-9][A-Z0-9/-]{0,38})(?![\w/-])",
    re.IGNORECASE,
)
IBAN = re.compile(r"\b[A-Z]{2}\d{2}(?: ?[A-Z0-9]{1,4}){3,8}(?![A-Z0-9])")
SHORTEST_IBAN, LONGEST_IBAN = 15, 34
# What a sort is called, and the channels of a vendor's accounts that are of it.
NAMES = {"till": "M-Pesa till", "paybill": "M-Pesa paybill", "phone": "M-Pesa", "bank": "Bank account"}
SORTS = {
    "MPESA_TILL": "till", "MPESA_PAYBILL": "paybill", "MPESA_SEND_MONEY": "phone", "MPESA_POCHI": "phone", "BANK_PESALINK": "bank",
    "BANK_EFT": "bank", "BANK_RTGS": "bank", "BANK_SWIFT": "bank",
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class KnownAccount:
    """An account of a vendor's record, as far as the copy has it: its sort, its last characters, and of a paybill the last ones of
    the account there ("" where none is known)."""

    sort: str
    last: str
    reference: str = ""

    @property
    def text(self) -> str:
        """As it is shown: "M-Pesa till ···2345", "M-Pesa paybill ···0200 (account ···INV7)"."""
        behind = f" (account ···{self.reference})" if self.reference else ""
        return f"{NAMES.get(self.sort, self.sort)} ···{self.last}{behind}"

    def is_like(self, other: "KnownAccount") -> bool:
        """Whether both may be one account: of a paybill the accounts there are compared where both are known."""
        references = {self.reference, other.reference} - {""}
        return (self.sort, self.last) == (other.sort, other.last) and len(references) < 2


def account_in(lines: Sequence[DocumentLine], *, recognised: bool = False) -> Value | None:
    """The first account that the lines ask to be paid on, with where it stands; the others that they name are its others, for
    a document may be paid on any of them. None where they name none."""
    places: dict[str, DocumentLine] = {}
    for place, line in enumerate(lines):
        below = lines[place + 1].text if place + 1 < len(lines) and lines[place + 1].page == line.page else ""
        above = lines[place - 1].text if place and lines[place - 1].page == line.page else ""
        for account in _accounts_of(line.text, below, above):
            places.setdefault(account, line)
    if not places:
        return None
    (first, line), *others = places.items()
    sureness: Sureness = "likely" if recognised else "labelled"
    return Value(first, sureness, line.page, line.box, tuple(account for account, _ in others))


def exact_account(number: str) -> Value | None:
    """An account as an e-invoice names it: an IBAN, or a number at a bank."""
    compact = re.sub(r"[^A-Za-z0-9]", "", number).upper()
    return Value(f"bank {compact}", "exact") if 5 <= len(compact) <= LONGEST_IBAN else None


def all_accounts(value: Value) -> tuple[str, ...]:
    """All accounts that a document names."""
    return (value.text, *value.others)


def last_of(account: str) -> KnownAccount:
    """An account by its sort and its last characters, as a vendor's record has it."""
    sort, _, rest = account.partition(" ")
    number, _, reference = rest.partition(" ")
    return KnownAccount(sort, number[-VISIBLE:], _end_of(reference))


def _end_of(reference: str) -> str:
    """The last letters and digits of an account at a paybill: dashes and blanks are written or left out."""
    return "".join(filter(str.isalnum, reference.upper()))[-VISIBLE:]


def known_accounts(rows: Iterable[dict[str, str]]) -> tuple[KnownAccount, ...]:
    """The accounts in use among those of a vendor in the copy (Vendor.instructions)."""
    in_use = [row for row in rows if row.get("status", "ACTIVE") == "ACTIVE" and row.get("channel") in SORTS]
    return tuple(
        KnownAccount(
            SORTS[row["channel"]],
            row.get("last", "").upper(),
            _end_of(row.get("reference", "")) if SORTS[row["channel"]] == "paybill" else "",
        )
        for row in in_use
    )


def _accounts_of(text: str, below: str, above: str) -> list[str]:
    accounts = [f"till {match[1]}" for match in TILL.finditer(text)]
    paybills = list(PAYBILL.finditer(text))
    for match in paybills:
        reference = REFERENCE.search(text, match.end()) or REFERENCE.match(below.strip())
        accounts.append(f"paybill {match[1]}{f' {reference[1].upper()}' if reference else ''}")
    accounts += [f"phone 254{re.sub('[ -]', '', match[1])}" for match in PHONE.finditer(text)]
    ibans = [iban for match in IBAN.finditer(text) if (iban := _iban(match[0]))]
    accounts += [f"bank {iban}" for iban in ibans]
    # Beside a paybill or under it an account is the reference there, and no bank's.
    if not paybills and not PAYBILL.search(above):
        accounts += [f"bank {re.sub('[ -]', '', match[1])}" for match in BANK.finditer(text)]
    return accounts


def _iban(text: str) -> str:
    """The IBAN that a text begins with: of what stands behind it as if it were more of it nothing is taken. "" for none."""
    for compact in reversed(list(accumulate(text.split(" ")))):
        if SHORTEST_IBAN <= len(compact) <= LONGEST_IBAN and _is_checked(compact):
            return compact
    return ""


def _is_checked(iban: str) -> bool:
    """Whether the check digits are right (ISO 7064, mod 97-10)."""
    return int("".join(str(int(letter, 36)) for letter in iban[4:] + iban[:4])) % 97 == 1
