"""What the hooks of vendors and categories reach here: recurring bills follow a merge, so that the next bill is of the vendor
that stays, and name the subcategories of the bills that come."""

from django.db.models import Q, QuerySet

from service.bill_schedules import services
from service.bill_schedules.models import BillSchedule
from service.categories.hooks import Ids, Users, businesses_of
from service.vendors.hooks import Follower
from service.vendors.models import Vendor


def schedules_of(vendor: Vendor) -> int:
    """How many recurring bills a vendor has, ended ones too."""
    return BillSchedule.objects.filter(vendor=vendor).count()


FOLLOWER = Follower("recurring bill", schedules_of, services.move_vendor)


def _schedules_under(subcategory_ids: Ids, _: Ids) -> QuerySet[BillSchedule]:
    naming = Q(subcategory_id__in=subcategory_ids)
    # The lines are kept as they were sent.
    for subcategory_id in subcategory_ids:
        naming |= Q(lines__contains=[{"subcategory_id": subcategory_id}])
    owned = BillSchedule.objects.filter(business_id__in=businesses_of(subcategory_ids))
    return owned.filter(naming)


FILED = Users("recurring_bill", _schedules_under, lambda row: row.number_prefix)
