"""Vendors that may be the same one: by tax number, by account, by a name that is nearly equal."""

from collections import defaultdict
from collections.abc import Iterable
from difflib import SequenceMatcher
from typing import TypedDict

from service.auth import Caller
from service.vendors.destinations import Payee, payee
from service.vendors.models import InstructionStatus, PaymentInstruction, Vendor

MOST_PAIRS = 100
# Among more names than these no near-equal ones are looked for: each is compared with those of the same beginning.
MOST_NAMES = 20_000
NEAR = 0.88
BEGINNING = 3
# Words that say what kind of company it is, not which.
FORMS = frozenset({"ltd", "limited", "plc", "llc", "inc", "bv", "gmbh", "co", "company", "the", "and"})

Pair = tuple[str, str]


class DuplicateShape(TypedDict):
    """Two vendors that may be one, the earlier first, and why."""

    vendor_id: str
    vendor_name: str
    duplicate_id: str
    duplicate_name: str
    reasons: list[str]


def name_key(name: str) -> str:
    """A name without case, punctuation and the words that say what kind of company it is."""
    words = "".join(sign if sign.isalnum() else " " for sign in name.casefold()).split()
    return " ".join(word for word in words if word not in FORMS) or " ".join(words)


def suggested(caller: Caller) -> list[DuplicateShape]:
    """The pairs of active vendors that may be one, those with the most reasons first; MOST_PAIRS at most."""
    rows = Vendor.objects.filter(business_id=caller.business.id, status=Vendor.Status.ACTIVE)
    known = {row[0]: row for row in rows.values_list("id", "name", "tax_pin").order_by("id")}
    reasons: dict[Pair, list[str]] = defaultdict(list)
    for reason, groups in (
        ("the same tax number", _by_tax_number(known.values())),
        ("the same account", _by_account(caller)),
    ):
        for pair in _pairs(groups):
            reasons[pair].append(reason)
    for pair, reason in _by_name(known.values()):
        reasons[pair].append(reason)
    newest = sorted(reasons.items(), key=lambda item: (-len(item[1]), item[0]))[:MOST_PAIRS]
    return [_shape(known[first][1], known[second][1], (first, second), why) for (first, second), why in newest]


def _shape(name: str, other: str, pair: Pair, reasons: list[str]) -> DuplicateShape:
    first, second = pair
    return {
        "vendor_id": first,
        "vendor_name": name,
        "duplicate_id": second,
        "duplicate_name": other,
        "reasons": reasons,
    }


def _pairs(groups: Iterable[list[str]]) -> set[Pair]:
    """Of each group its first with every other: as many pairs as there are others, however large the group is."""
    return {(ids[0], other) for group in groups for ids in [sorted(set(group))] for other in ids[1:]}


def _by_tax_number(rows: Iterable[tuple[str, str, str]]) -> list[list[str]]:
    groups = defaultdict(list)
    for vendor_id, _, tax_pin in rows:
        if tax_pin:
            groups[tax_pin].append(vendor_id)
    return list(groups.values())


def _by_account(caller: Caller) -> list[list[str]]:
    rows = PaymentInstruction.objects.filter(
        business_id=caller.business.id,
        status__in=[InstructionStatus.ACTIVE, InstructionStatus.QUARANTINED],
        vendor__status=Vendor.Status.ACTIVE,
    )
    groups: dict[Payee, list[str]] = defaultdict(list)
    columns = ("channel", "account", "bank_code", "account_reference", "vendor_id")
    for *destination, vendor_id in rows.values_list(*columns):
        groups[payee(*destination)].append(vendor_id)
    return list(groups.values())


def _by_name(rows: Iterable[tuple[str, str, str]]) -> list[tuple[Pair, str]]:
    buckets: dict[str, list[tuple[str, str]]] = defaultdict(list)
    for count, (vendor_id, name, _) in enumerate(rows):
        key = name_key(name)
        if count < MOST_NAMES:
            buckets[key[:BEGINNING]].append((key, vendor_id))
    pairs = []
    for bucket in buckets.values():
        names = sorted(bucket)
        # Sorted, near-equal names stand close together: each is compared with the next few, not with all.
        for place, (key, vendor_id) in enumerate(names):
            for other_key, other in names[place + 1 : place + 6]:
                if key == other_key:
                    pairs.append((_ordered(vendor_id, other), "the same name"))
                elif SequenceMatcher(None, key, other_key).ratio() >= NEAR:
                    pairs.append((_ordered(vendor_id, other), "a nearly equal name"))
    return pairs


def _ordered(left: str, right: str) -> Pair:
    return (left, right) if left < right else (right, left)
