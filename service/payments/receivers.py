"""What the hooks of areas below reach here: payouts that keep a wallet open, payments that follow a merge of vendors, and
payouts with payments under a subcategory."""

from django.db.models import Exists, OuterRef, QuerySet

from service.accounts.hooks import MOST_NAMED
from service.accounts.models import Wallet
from service.auth import Caller
from service.categories.hooks import Ids, Users, businesses_of
from service.errors import FieldError
from service.payments.models import Batch, Item
from service.payments.transitions import FINAL
from service.vendors.hooks import Follower
from service.vendors.models import Vendor


def payouts_on_wallet(wallet: Wallet) -> list[FieldError]:
    """The payouts that a wallet is still to pay."""
    rows = Batch.objects.filter(wallet=wallet).exclude(status__in=FINAL).order_by("id")
    return [
        {"field": "payouts", "code": number, "message": f"payout {number} ({status})"}
        for number, status in rows.values_list("batch_no", "status")[:MOST_NAMED]
    ]


def items_of(vendor: Vendor) -> int:
    """How many payments of payouts name a vendor, in any state."""
    return Item.objects.filter(business_id=vendor.business_id, vendor_id=vendor.id).count()


def move_items(caller: Caller, source: Vendor, target: Vendor) -> None:
    """Gives the payments of payouts to one vendor to another; they keep the account they were approved for."""
    Item.objects.filter(business_id=source.business_id, vendor_id=source.id).update(vendor_id=target.id)


FOLLOWER = Follower("payout payment", items_of, move_items)


def _payouts_under(subcategory_ids: Ids, _: Ids) -> QuerySet[Batch]:
    items = Item.objects.filter(batch_id=OuterRef("id"), subcategory_id__in=subcategory_ids)
    return Batch.objects.filter(Exists(items), business_id__in=businesses_of(subcategory_ids))


FILED = Users("payout", _payouts_under, lambda row: f"{row.batch_no} {row.name}")
