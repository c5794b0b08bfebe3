"""What the hooks of vendors reach here: recurring bills follow a merge, so that the next bill is of the vendor that stays."""

from service.bill_schedules import services
from service.bill_schedules.models import BillSchedule
from service.vendors.hooks import Follower
from service.vendors.models import Vendor


def schedules_of(vendor: Vendor) -> int:
    """How many recurring bills a vendor has, ended ones too."""
    return BillSchedule.objects.filter(vendor=vendor).count()


FOLLOWER = Follower("recurring bill", schedules_of, services.move_vendor)
