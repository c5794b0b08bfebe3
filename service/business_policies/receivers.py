"""What the hooks of vendors, categories and teams reach here: policies that name a vendor keep it from being merged away, those
that exempt a team keep it from being deleted, and policies on a subcategory or category."""

from django.db.models import Q, QuerySet

from service.business_policies.models import BusinessPolicy, PolicyState, PolicyType
from service.businesses.models import Team
from service.categories.hooks import Ids, Users
from service.teams.hooks import enumerated
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


def exemptions_of(team: Team) -> str:
    """That policies exempt a team, as a sentence; "" where none does that is not deleted."""
    rows = BusinessPolicy.objects.filter(business_id=team.business_id, exempt_team_ids__contains=[team.id])
    names = list(rows.exclude(status=PolicyState.DELETED).order_by("id").values_list("name", flat=True))
    return f"Policies exempt it ({enumerated(names)}): end the exemptions first." if names else ""


FOLLOWER = Follower("spend policy", policies_of, obstacle=policies_stay)


def _policies_on(subcategory_ids: Ids, category_ids: Ids) -> QuerySet[BusinessPolicy]:
    of_subcategory = Q(type=PolicyType.SUBCATEGORY, target__in=subcategory_ids)
    of_category = Q(type=PolicyType.CATEGORY, target__in=category_ids)
    return BusinessPolicy.objects.filter(of_subcategory | of_category).exclude(status=PolicyState.DELETED)


def _policies_counting(category_ids: Ids) -> QuerySet[BusinessPolicy]:
    return _policies_on((), category_ids).filter(status=PolicyState.ACTIVE)


FILED = Users("spend_policy", _policies_on, lambda row: row.name, _policies_counting)
