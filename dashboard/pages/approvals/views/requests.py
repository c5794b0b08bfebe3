"""Requests at the desk that one approver decides alone: cards, single-use cards, funds, manual transactions.

They are all shown, approved and rejected in the same way; by which operations, decisions/registry.py says for each kind.
"""

from typing import NamedTuple

from django.http import HttpResponse
from django.views.decorators.http import require_GET, require_POST

from dashboard import operations_pages
from dashboard.access.actor import ActorRequest
from dashboard.access.decorators import View, needs
from dashboard.decisions.registry import ApprovalKind
from dashboard.pages.approvals.views.decisions import decide, show_subject


class ApprovalRequestViews(NamedTuple):
    """The views of one kind of request: the request on the desk, and the two words that end it."""

    show: View[[str, str]]
    approve: View[[str, str]]
    reject: View[[str, str]]


def views_of(kind: str, declared: ApprovalKind) -> ApprovalRequestViews:
    """The views of a kind, each behind the operation that it stands for."""

    @require_GET
    @needs(operations_pages.INBOX, declared.opens)
    def show(request: ActorRequest, business: str, remote_id: str) -> HttpResponse:
        """One request of the kind on the desk."""
        return show_subject(request, kind, remote_id)

    @require_POST
    @needs(declared.approve)
    def approve(request: ActorRequest, business: str, remote_id: str) -> HttpResponse:
        """Approves one; where it cannot be undone, after showing that it is oneself."""
        return decide(request, kind, remote_id, "approve")

    @require_POST
    @needs(declared.reject)
    def reject(request: ActorRequest, business: str, remote_id: str) -> HttpResponse:
        """Rejects one, with a reason."""
        return decide(request, kind, remote_id, "reject")

    return ApprovalRequestViews(show, approve, reject)
