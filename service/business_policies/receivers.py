"""What the hooks of vendors reach here: policies that name a vendor keep it from being merged away."""

from service.business_policies.models import BusinessPolicy, PolicyState, PolicyType
from service.vendors.hooks import Follower
from service.vendors.models import Vendor


def policies_of(vendor: Vendor) -> int:
    """How many policies name a vendor."""
    return _naming(vendor)


def policies_stay(source: Vendor, target: Vendor) -> str:
    """That policies name the duplicate, as a sentence: a policy is changed by its own ways, never by a merge."""
    return "Spend policies name the duplicate: change or delete them first." if _naming(source) else ""


def _naming(vendor: Vendor) -> int:
    rows = BusinessPolicy.objects.filter(business_id=vendor.business_id, type=PolicyType.VENDOR, target=vendor.id)
    return rows.exclude(status=PolicyState.DELETED).count()


FOLLOWER = Follower("spend policy", policies_of, obstacle=policies_stay)
