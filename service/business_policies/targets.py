"""What a policy may be about: the channels there are, and the things of the business that an id must be of."""

from django.db.models import QuerySet

from service import errors
from service.auth import Caller
from service.business_policies.evaluation import CARD_CHANNELS, SELF, families
from service.business_policies.models import PolicyType
from service.categories.models import Category, Subcategory
from service.rails.catalogue import CHANNELS
from service.vendors.models import Vendor

KNOWN_CHANNELS = frozenset().union(*(families(channel) for channel in [*CHANNELS, *CARD_CHANNELS]))


def check(caller: Caller, type_: str, target: str) -> None:
    """422 naming `target` where there is no such thing for a policy of this type."""
    if type_ == PolicyType.DAY_TIME:
        known, message = target == "", "The hours are about everything: leave it out."
    elif type_ == PolicyType.CHANNEL:
        known, message = target in KNOWN_CHANNELS, f"Use one of: {', '.join(sorted(KNOWN_CHANNELS))}."
    elif type_ == PolicyType.VENDOR and target == SELF:
        return
    else:
        known, message = _rows(caller, type_).filter(id=target).exists(), "The business has no such thing."
    if not known:
        raise errors.validation_failed("target", message, "unknown")


def _rows(caller: Caller, type_: str) -> QuerySet[Category] | QuerySet[Subcategory] | QuerySet[Vendor]:
    if type_ == PolicyType.SUBCATEGORY:
        return Subcategory.objects.filter(business_id=caller.business.id)
    if type_ == PolicyType.CATEGORY:
        return Category.objects.filter(business_id=caller.business.id)
    return Vendor.objects.filter(business_id=caller.business.id)
