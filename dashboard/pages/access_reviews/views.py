"""Access reviews: all of them, one with its people, what is decided on each, its signature, and its files."""

from django.contrib import messages
from django.http import Http404, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.views.decorators.http import require_GET, require_POST

from dashboard import operations_pages
from dashboard.access.actor import ActorRequest
from dashboard.access.decorators import needs
from dashboard.access_reviews import services
from dashboard.access_reviews.models import AccessReview, ReviewDecision, ReviewedPerson
from dashboard.access_reviews.selectors import due_quarter
from dashboard.errors import FAILED, Conflict, FinanceError, NotAllowed
from dashboard.pages.access_reviews.forms import VerdictForm
from dashboard.pages.access_reviews.presenters import review_context, review_pdf, reviews_context, verdict_form
from dashboard.pages.access_reviews.selectors import NARROWINGS, review_of, reviewed_person
from dashboard.web.files import save_as, saved_file
from dashboard.web.respond import page
from dashboard.web.signin.middleware import confirm_first
from dashboard.web.submission import posted_key

LIST, ITEM = "access_reviews/list.html", "access_reviews/item.html"


@require_GET
@needs(operations_pages.ACCESS_REVIEWS)
def access_reviews(request: ActorRequest, business: str) -> HttpResponse:
    """All reviews, and the one that is to be opened."""
    return page(request, LIST, {**reviews_context(request.actor)})


@require_POST
@needs(operations_pages.ACCESS_REVIEWS)
def open_review(request: ActorRequest, business: str) -> HttpResponse:
    """Opens the review that is due."""
    try:
        review = services.open_review(request.actor, due_quarter(request.actor.business))
    except FAILED as refused:
        context = {**reviews_context(request.actor), "failed": refused.user_message}
        return page(request, LIST, context, status=refused.status)
    messages.success(request, f"The access review of {review.period} is open.")
    return redirect("access-reviews_item", business, review.pk)


@require_GET
@needs(operations_pages.ACCESS_REVIEWS)
def access_review(request: ActorRequest, business: str, review_id: int) -> HttpResponse:
    """One review with its people."""
    return _render(request, review_of(request.actor, review_id))


def _render(
    request: ActorRequest, review: AccessReview, status: int = 200, verdict_form: VerdictForm | None = None, person: int = 0,
    failed: str = "",
) -> HttpResponse:  # fmt: skip
    chosen = request.GET.get("show", "")
    narrowed = chosen if chosen in dict(NARROWINGS) else ""
    forms = {person: verdict_form} if verdict_form else None
    context = review_context(
        request.actor, review, narrowed=narrowed, number=request.GET.get("page"), refused=forms, failed=failed
    )
    return page(request, ITEM, {**context, "first_wrong": verdict_form}, status=status)


@require_POST
@needs(operations_pages.ACCESS_REVIEWS)
def decide_person(request: ActorRequest, business: str, review_id: int, person_id: int) -> HttpResponse:
    """Keeps or revokes somebody's access; revoking takes verifying it's you."""
    review = review_of(request.actor, review_id)
    person = reviewed_person(review, person_id)
    form = verdict_form(person, request.POST)
    if not form.is_valid():
        return _render(request, review, 422, form, person.pk)
    if form.cleaned_data["verdict"] == ReviewDecision.REVOKE and (verification := confirm_first(request, request.path)):
        return verification
    return _decided(request, review, person, form)


def _decided(request: ActorRequest, review: AccessReview, reviewed: ReviewedPerson, form: VerdictForm) -> HttpResponse:
    try:
        message = _decide(request, reviewed, form)
    except NotAllowed:
        raise
    except FinanceError as refusal:
        form.add_error(None, refusal.user_message)
        return _render(request, review, refusal.status, form, reviewed.pk)
    messages.success(request, message)
    return redirect(_back(request, review, reviewed))


def _decide(request: ActorRequest, reviewed: ReviewedPerson, form: VerdictForm) -> str:
    actor, reason = request.actor, form.cleaned_data["reason"]
    if form.cleaned_data["verdict"] == ReviewDecision.KEEP:
        services.keep(actor, reviewed, reason)
        return f"The access of {reviewed.name} is kept."
    if services.revoke(actor, reviewed, reason, key=posted_key(request)):
        return f"Waiting for a super admin. {reviewed.name} still has access."
    if reviewed.membership_id is None:
        return f"Noted. {reviewed.name} can move money at the finance service until they are offboarded under People."
    ended = f"The access of {reviewed.name} has ended, and they were signed out."
    # A verdict is about this dashboard: what the row lists of the finance service stands until an offboarding.
    left = "What they may do at the finance service has not been changed: offboard them under People."
    return f"{ended} {left}" if reviewed.employee_id else ended


def _back(request: ActorRequest, review: AccessReview, reviewed: ReviewedPerson) -> str:
    place = reverse("access-reviews_item", args=[request.actor.business.slug, review.pk])
    query = request.GET.urlencode()
    return f"{place}{f'?{query}' if query else ''}#person-{reviewed.pk}"


@require_POST
@needs(operations_pages.ACCESS_REVIEWS)
def sign_review(request: ActorRequest, business: str, review_id: int) -> HttpResponse:
    """Signs a review, which closes it for good."""
    review = review_of(request.actor, review_id)
    if verification := confirm_first(request, request.path):
        return verification
    try:
        services.sign(request.actor, review)
    except Conflict as refusal:
        return _render(request, review_of(request.actor, review_id), refusal.status, failed=refusal.user_message)
    messages.success(request, f"The access review of {review.period} is signed.")
    return redirect("access-reviews_item", business, review_id)


@require_GET
@needs(operations_pages.ACCESS_REVIEWS)
def review_pdf_file(request: ActorRequest, business: str, review_id: int) -> HttpResponse:
    """A review as a PDF, as far as it is; signed, with how to check it."""
    review = review_of(request.actor, review_id)
    answer = HttpResponse(review_pdf(request.actor.business, review), content_type="application/pdf")
    save_as(answer, f"{_name(review)}.pdf")
    return answer


@require_GET
@needs(operations_pages.ACCESS_REVIEWS)
def review_content(request: ActorRequest, business: str, review_id: int) -> HttpResponse:
    """The content of a signed review: the bytes whose hash the audit holds."""
    review = review_of(request.actor, review_id)
    if review.is_open:
        raise Http404("not signed yet")
    return saved_file(review.content.encode(), f"{_name(review)}.json")


def _name(review: AccessReview) -> str:
    return f"access-review-{review.business.slug}-{review.year}-q{review.quarter}"
