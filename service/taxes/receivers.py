"""What the hooks of vendors reach here: withheld taxes that follow a merge."""

from service.auth import Caller
from service.taxes.models import TaxTransaction
from service.vendors.hooks import Follower
from service.vendors.models import Vendor


def withheld_of(vendor: Vendor) -> int:
    """How often a tax was withheld from a vendor."""
    return TaxTransaction.objects.filter(vendor=vendor).count()


def move_withheld(caller: Caller, source: Vendor, target: Vendor) -> None:
    """Gives what was withheld from one vendor to another, under the tax number that it was withheld with."""
    TaxTransaction.objects.filter(vendor=source).update(vendor=target)


FOLLOWER = Follower("withheld tax", withheld_of, move_withheld)
