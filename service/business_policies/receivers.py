"""What the hooks of vendors and categories reach here: policies that name a vendor keep it from being merged away, and policies
on a subcategory or category."""

from django.db.models import Q, QuerySet

from service.business_policies.models import BusinessPolicy, PolicyState, PolicyType
from service.categories.hooks import Ids, Users
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


def _policies_on(subcategory_ids: Ids, category_ids: Ids) -> QuerySet[BusinessPolicy]:
    of_subcategory = Q(type=PolicyType.SUBCATEGORY, target__in=subcategory_ids)
    of_category = Q(type=PolicyType.CATEGORY, target__in=category_ids)
    return BusinessPolicy.objects.filter(of_subcategory | of_category).exclude(status=PolicyState.DELETED)


def _policies_counting(category_ids: Ids) -> QuerySet[BusinessPolicy]:
    return _policies_on((), category_ids).filter(status=PolicyState.ACTIVE)


FILED = Users("spend_policy", _policies_on, lambda row: row.name, _policies_counting)
