"""What the hooks of vendors and categories reach here: workflows that name a vendor keep it from being merged away, and
workflows for a subcategory."""

from django.db.models import Q, QuerySet

from service.approvals.models import Workflow
from service.categories.hooks import Ids, Users
from service.vendors.hooks import Follower
from service.vendors.models import Vendor


def workflows_of(vendor: Vendor) -> int:
    """How many workflows in use name a vendor."""
    rows = Workflow.objects.filter(business_id=vendor.business_id, active=True)
    return rows.filter(conditions__vendor_ids__contains=[vendor.id]).count()


def workflows_stay(source: Vendor, target: Vendor) -> str:
    """That workflows name the duplicate, as a sentence: who decides is changed by its own ways, never by a merge."""
    return "Approval workflows name the duplicate: change them first." if workflows_of(source) else ""


FOLLOWER = Follower("approval workflow", workflows_of, obstacle=workflows_stay)


def _workflows_for(subcategory_ids: Ids, _: Ids) -> QuerySet[Workflow]:
    naming = Q(pk__in=[])
    for subcategory_id in subcategory_ids:
        naming |= Q(conditions__subcategory_ids__contains=[subcategory_id])
    return Workflow.objects.filter(naming)


FILED = Users("approval_workflow", _workflows_for, lambda row: row.name)
