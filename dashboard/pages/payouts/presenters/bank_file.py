"""A payout as a file for a bank that takes files: ISO 20022 pain.001.001.09, a customer credit transfer initiation.

Only payments to bank accounts go into one. Each of the others is named with the reason before anything is downloaded. What is
written is checked as the message demands: the order of its elements, the lengths of its texts and their characters, the number
of its transactions and their sum.
"""

import re
import unicodedata
import xml.etree.ElementTree as ET
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, datetime

from dashboard.access.actor import Actor
from dashboard.mirror.models import ApprovalRequest
from dashboard.mirror.scopes import visible_payouts
from dashboard.money import Money, text, to_minor
from dashboard.pages.payouts.services.lines import LIKE_IBAN, iban_of
from dashboard.payee_accounts import is_bic
from dashboard.payout_files.services import bank_files_of, related_payouts
from dashboard.schemas.payments import PayoutItem
from dashboard.times import day_and_time

NAMESPACE = "urn:iso:std:iso:20022:tech:xsd:pain.001.001.09"
BANK_CHANNELS = frozenset({"BANK_PESALINK", "BANK_EFT", "BANK_RTGS", "BANK_SWIFT"})
# The characters that every bank takes (the Latin set of the EPC), and the lengths of the message's texts.
NOT_ALLOWED = re.compile(r"[^A-Za-z0-9/\-?:().,'+ ]")
NAME, REFERENCE, REMITTANCE, OTHER_ACCOUNT = 140, 35, 140, 34
# 18 digits at most, of which the fraction is a part.
LARGEST_MINOR = 10**15
DONE = {"SUCCEEDED": "it is paid already", "RETURNED": "it was sent already and came back"}


@dataclass(frozen=True, slots=True)
class Debtor:
    """Who pays and from which account, as the bank knows it."""

    name: str
    account: str
    bank: str
    currency: str


@dataclass(frozen=True, slots=True)
class Excluded:
    """A payment that cannot go into the file: its row, whom it pays, and why."""

    number: int
    receiver: str
    why: str


@dataclass(frozen=True, slots=True)
class BankFile:
    """What a file would hold: its payments by their row, the sum in minor units, and what cannot go into it; `problem` is why
    there can be no file at all."""

    payments: list[tuple[int, PayoutItem]]
    sum_minor: int
    excluded: list[Excluded]
    problem: str = ""


# Approved, and not paid here by itself: in any other state a file would pay without the votes, or a second time.
FILE_STATES = frozenset({"AWAITING_CODE", "PARTIALLY_COMPLETED", "FAILED"})
NOT_NOW = (
    "A bank file holds what was approved and is not being paid here: payments that await their code, or that failed."
)


def bank_file(payout: ApprovalRequest, payments: Sequence[PayoutItem]) -> BankFile:
    """What of a payout can go into a file, and what cannot."""
    going: list[tuple[int, PayoutItem]] = []
    excluded: list[Excluded] = []
    for number, item in enumerate(payments, 1):
        if why := _why_not(payout, item):
            excluded.append(Excluded(number, item.receiver_name, why))
        else:
            going.append((number, item))
    total = sum(to_minor(item.amount, payout.currency) for _, item in going)
    problem = "" if going else "None of the payments can go into a bank file."
    problem = problem if payout.status in FILE_STATES else NOT_NOW
    return BankFile(going, total, excluded, problem)


def _why_not(payout: ApprovalRequest, payout_item: PayoutItem) -> str:
    if payout_item.status in DONE:
        return DONE[payout_item.status]
    if payout_item.status == "SENT":
        return "it is on its way already"
    if payout_item.channel not in BANK_CHANNELS:
        return "it does not go to a bank account"
    if iban_of(payout_item.account) is None:
        if LIKE_IBAN.fullmatch(payout_item.account.upper()) and payout_item.channel == "BANK_SWIFT":
            return "its IBAN is not valid"
        if not payout_item.bank_code:
            return "it has neither an IBAN nor a bank code"
    if not 0 < to_minor(payout_item.amount, payout.currency) < LARGEST_MINOR:
        return "its amount does not fit into the message"
    return (
        "" if latin(payout_item.receiver_name, NAME) else "its receiver's name has no letter that a bank file can hold"
    )


def bank_file_lines(actor: Actor, payout: ApprovalRequest) -> list[str]:
    """The bank files that were downloaded of a payout, of one whose payments it repeats, or of another that repeats them, the
    latest first, as sentences: when, by whom, how much, and of which payout where that is another."""
    related = related_payouts(actor.business, payout.remote_id)
    others = visible_payouts(actor).filter(remote_id__in=related).exclude(remote_id=payout.remote_id)
    names = {row.remote_id: f", of {row.title} ({row.ref})" for row in others}
    return [
        f"{day_and_time(file.downloaded_at, actor.business)}, {file.by_name}: {len(file.rows):,} "
        f"payment{'' if len(file.rows) == 1 else 's'}, {text(file.sum_minor, payout.currency, actor.business.locale)}"
        f"{names.get(file.payout_id, '')}"
        for file in bank_files_of(actor.business, related)
    ]


def latin(name: str, longest: int) -> str:
    """The text in the characters that every bank takes, cut to a length: accents go, anything else becomes a space."""
    plain = unicodedata.normalize("NFKD", name)
    plain = "".join(character for character in plain if not unicodedata.combining(character))
    spaced = " ".join(NOT_ALLOWED.sub(" ", plain).split())
    # A reference neither begins nor ends with a slash, nor holds two in a row.
    return re.sub("/{2,}", "/", spaced).strip("/ ")[:longest].strip("/ ")


def bank_file_xml(payout: ApprovalRequest, bank_file: BankFile, debtor: Debtor, now: datetime, day: date) -> bytes:
    """The message: one payment information, a transaction per payment. ValueError where it would not say what `bank_file` says."""
    ET.register_namespace("", NAMESPACE)
    root = ET.Element(f"{{{NAMESPACE}}}Document")
    message = _add(root, "CstmrCdtTrfInitn")
    amount, count = _decimal(bank_file.sum_minor, payout.currency), str(len(bank_file.payments))
    _header(message, payout, debtor, now, count, amount)
    information = _add(message, "PmtInf")
    _add(information, "PmtInfId", latin(payout.ref, REFERENCE))
    _add(information, "PmtMtd", "TRF")
    _add(information, "BtchBookg", "false")
    _add(information, "NbOfTxs", count)
    _add(information, "CtrlSum", amount)
    _add(_add(information, "ReqdExctnDt"), "Dt", day.isoformat())
    _add(_add(information, "Dbtr"), "Nm", latin(debtor.name, NAME))
    account = _add(information, "DbtrAcct")
    _account(account, debtor.account)
    _add(account, "Ccy", debtor.currency)
    _agent(_add(information, "DbtrAgt"), debtor.bank)
    _add(information, "ChrgBr", "SHAR")
    for number, item in bank_file.payments:
        _transaction(information, payout, number, item)
    content: bytes = ET.tostring(root, encoding="utf-8", xml_declaration=True)
    check_written(content, payout, bank_file)
    return content


def _header(
    message: ET.Element, payout: ApprovalRequest, debtor: Debtor, now: datetime, count: str, amount: str
) -> None:
    header = _add(message, "GrpHdr")
    _add(header, "MsgId", latin(f"{payout.ref}-{now:%H%M%S}", REFERENCE))
    _add(header, "CreDtTm", now.isoformat(timespec="seconds"))
    _add(header, "NbOfTxs", count)
    _add(header, "CtrlSum", amount)
    _add(_add(header, "InitgPty"), "Nm", latin(debtor.name, NAME))


def _transaction(information: ET.Element, payout: ApprovalRequest, number: int, payout_item: PayoutItem) -> None:
    transfer = _add(information, "CdtTrfTxInf")
    identity = _add(transfer, "PmtId")
    _add(identity, "InstrId", latin(f"{payout.ref}-{number}", REFERENCE))
    _add(identity, "EndToEndId", latin(payout_item.id or f"{payout.ref}-{number}", REFERENCE))
    amount = _add(
        _add(transfer, "Amt"), "InstdAmt", _decimal(to_minor(payout_item.amount, payout.currency), payout.currency)
    )
    amount.set("Ccy", payout.currency)
    if payout_item.bank_code:
        _agent(_add(transfer, "CdtrAgt"), payout_item.bank_code)
    _add(_add(transfer, "Cdtr"), "Nm", latin(payout_item.receiver_name, NAME))
    _account(_add(transfer, "CdtrAcct"), payout_item.account)
    if declared := latin(
        " ".join(part for part in (payout_item.account_reference, payout_item.note) if part), REMITTANCE
    ):
        _add(_add(transfer, "RmtInf"), "Ustrd", declared)


def _account(parent: ET.Element, account: str) -> None:
    identity = _add(parent, "Id")
    iban = iban_of(account)
    if iban:
        _add(identity, "IBAN", iban)
    else:
        _add(_add(identity, "Othr"), "Id", latin(account, OTHER_ACCOUNT))


def _agent(parent: ET.Element, bank: str) -> None:
    institution = _add(parent, "FinInstnId")
    if bank and is_bic(bank):
        _add(institution, "BICFI", bank.upper())
    elif bank:
        _add(_add(institution, "ClrSysMmbId"), "MmbId", latin(bank, REFERENCE))
    else:
        _add(_add(institution, "Othr"), "Id", "NOTPROVIDED")


def _decimal(minor: int, currency: str) -> str:
    return format(Money(minor, currency).amount, "f")


def _add(parent: ET.Element, name: str, text: str = "") -> ET.Element:
    child = ET.SubElement(parent, f"{{{NAMESPACE}}}{name}")
    if text:
        child.text = text
    return child


def check_written(content: bytes, payout: ApprovalRequest, bank_file: BankFile) -> None:
    """Reads the file anew: its number of transactions and its control sum are those of the payments. ValueError otherwise."""
    root = ET.fromstring(content)  # noqa: S314  what was just written here
    amounts = [element.text or "" for element in root.iter(f"{{{NAMESPACE}}}InstdAmt")]
    total = sum(to_minor(amount, payout.currency) for amount in amounts)
    sums = [element.text or "" for element in root.iter(f"{{{NAMESPACE}}}CtrlSum")]
    counts = [element.text for element in root.iter(f"{{{NAMESPACE}}}NbOfTxs")]
    if total != bank_file.sum_minor or any(to_minor(declared, payout.currency) != total for declared in sums):
        raise ValueError("the control sum is not the sum of the payments")
    if counts != [str(len(bank_file.payments))] * 2 or len(amounts) != len(bank_file.payments):
        raise ValueError("the number of transactions is not the number of payments")
