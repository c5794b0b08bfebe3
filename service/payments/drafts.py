"""Making payouts: checking their items against channels, banks, wallets and categories, and numbering them."""

from collections.abc import Mapping, Sequence
from typing import Any

from django.db import connection
from django.utils import timezone

from service import effects, errors, money, periods
from service.accounts.models import Wallet
from service.accounts.wallets import wallet_by_ref as wallet_of
from service.auth import Caller
from service.businesses.models import Team
from service.categories.models import Subcategory
from service.errors import FieldError
from service.payments.models import Batch, Item, Kind
from service.payments.payees import PAYEE_HOLDS
from service.payments.schemas import NewItem, NewPayout
from service.rails import catalogue
from service.vendors import destinations
from service.vendors.instructions import held_back
from service.vendors.models import InstructionStatus
from service.vendors.selectors import known_vendors

HELD_BACK = {
    InstructionStatus.QUARANTINED: "It is a vendor's account that waits for a second person's confirmation.",
    InstructionStatus.REJECTED: "It was proposed as a vendor's account, and a second person rejected it.",
    InstructionStatus.REPLACED: "It is the account that a vendor had before: it was replaced by another one.",
}


def build(
    caller: Caller, paying: Wallet, kind: Kind, name: str, new_items: Sequence[NewItem], **fields: Any
) -> tuple[Batch, list[Item]]:
    """A draft and its items, not saved; 422 naming each field of each item that is wrong (`items.3.amount`)."""
    _check(caller, paying, new_items)
    items = [_item(place, new_item, paying.currency) for place, new_item in enumerate(new_items)]
    total, fees = sum(item.amount_minor for item in items), sum(item.fee_minor for item in items)
    if total + fees > money.LARGEST_MINOR:
        raise errors.validation_failed("items", "Together they are too large.", "too_large")
    batch = Batch(
        id=effects.new_id(caller),
        business=caller.business,
        batch_no=next_number(caller),
        kind=kind,
        name=name,
        wallet=paying,
        currency=paying.currency,
        total_minor=total,
        fees_minor=fees,
        item_count=len(items),
        created_by=caller.label,
        maker_ids=[caller.employee_id] if caller.employee_id else [],
        **fields,
    )
    for item in items:
        item.batch, item.business = batch, caller.business
    return batch, items


def source(caller: Caller, body: NewPayout) -> Wallet:
    """The wallet that pays; 404 without it, 422 where the currency named is not its own."""
    paying = wallet_of(caller.business, body.org_wallet_ref)
    if body.currency and body.currency != paying.currency:
        raise errors.validation_failed("currency", f"The wallet {paying.org_wallet_ref} holds {paying.currency}.")
    if body.team_id and not Team.objects.filter(business=caller.business, id=body.team_id).exists():
        raise errors.validation_failed("team_id", "There is no such team.", "unknown")
    return paying


def fee(channel: catalogue.Channel, currency: str) -> int:
    """What a payment on the channel costs, in minor units of the currency."""
    return int(channel.fee_minor * 10 ** money.exponent(currency) // 100)


def next_number(caller: Caller) -> str:
    """The next batch number of the business's day: PB-20260105-00001."""
    day = periods.day_of(timezone.now(), caller.business)
    with connection.cursor() as cursor:
        cursor.execute(
            "INSERT INTO payments_batchnumber (business_id, day, last) VALUES (%s, %s, 1)"
            " ON CONFLICT (business_id, day) DO UPDATE SET last = payments_batchnumber.last + 1 RETURNING last",
            [caller.business.id, day],
        )
        (last,) = cursor.fetchone()
    return f"PB-{day:%Y%m%d}-{last:05d}"


def own_wallets(caller: Caller, accounts: Sequence[str], currency: str) -> dict[str, Wallet]:
    """The business's wallets (its employees' too) by account number, in a currency."""
    if not accounts:
        return {}
    rows = Wallet.objects.filter(business=caller.business, accno__in=accounts, currency=currency)
    return {row.accno: row for row in rows}


def _item(place: int, new: NewItem, currency: str) -> Item:
    return Item(
        position=place,
        vendor_id=new.vendor_id or "",
        receiver_name=new.receiver_name,
        channel=new.channel,
        account=new.account,
        bank_code=new.bank_code,
        account_reference=new.account_reference,
        amount_minor=money.to_minor(new.amount, currency),
        fee_minor=fee(catalogue.CHANNELS[new.channel], currency),
        subcategory_id=new.subcategory_id or "",
        note=new.note,
    )


def _check(caller: Caller, paying: Wallet, new_items: Sequence[NewItem]) -> None:
    country = caller.business.country
    wallets = own_wallets(caller, [item.account for item in new_items if item.channel == "WALLET"], paying.currency)
    named = {item.subcategory_id for item in new_items if item.subcategory_id}
    known = (
        set(Subcategory.objects.filter(business=caller.business, id__in=named).values_list("id", flat=True))
        if named
        else set()
    )
    held = held_back(caller.business, [_payee_of(item) for item in new_items])
    vendors = known_vendors(caller, {item.vendor_id for item in new_items if item.vendor_id})
    field_errors: list[FieldError] = []
    for place, item in enumerate(new_items):
        messages = _amount(item, paying.currency) | _channel(item, country, paying.currency)
        messages |= _payee(item, held, vendors)
        status = held.get(_payee_of(item))
        codes = {"account": PAYEE_HOLDS[status]} if status is not None else {}
        if item.channel == "WALLET" and (item.account not in wallets or item.account == paying.accno):
            messages["account"] = "The business has no other wallet with this account number in this currency."
        if item.subcategory_id and item.subcategory_id not in known:
            messages["subcategory_id"] = "There is no such subcategory."
        field_errors += [
            {"field": f"items.{place}.{field}", "code": codes.get(field, "invalid"), "message": message}
            for field, message in messages.items()
        ]
    if field_errors:
        raise errors.many_validation_failed(field_errors[:100])


def _amount(new: NewItem, currency: str) -> dict[str, str]:
    try:
        return {} if money.to_minor(new.amount, currency) > 0 else {"amount": "It must be more than nothing."}
    except money.MoneyError as error:
        return {"amount": str(error)}


def _channel(new: NewItem, country: str, currency: str) -> dict[str, str]:
    given = destinations.Destination(new.channel, new.account, new.bank_code, account_reference=new.account_reference)
    messages = destinations.field_messages(given, country)
    channel = catalogue.CHANNELS.get(new.channel)
    if channel and channel.currencies and currency not in channel.currencies:
        messages.setdefault("channel", f"It does not carry {currency}.")
    return messages


def _payee_of(new: NewItem) -> destinations.Payee:
    return destinations.payee(new.channel, new.account, new.bank_code, new.account_reference)


def _payee(new: NewItem, held: Mapping[destinations.Payee, InstructionStatus], vendors: set[str]) -> dict[str, str]:
    """What keeps a vendor from being paid: it is none of the business's, or nobody has confirmed that it is paid there."""
    messages = {}
    if new.vendor_id and new.vendor_id not in vendors:
        messages["vendor_id"] = "There is no such active vendor."
    if (status := held.get(_payee_of(new))) is not None:
        messages["account"] = HELD_BACK[status]
    return messages
