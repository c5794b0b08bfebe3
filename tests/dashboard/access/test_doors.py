"""The doors of pages: the actor from the address, what a view declares, and what a denial leaves behind."""

import pytest
from django.contrib.auth.models import AnonymousUser
from django.contrib.sessions.backends.base import SessionBase
from django.http import Http404, HttpRequest, HttpResponse
from django.template import Context, Template
from django.test import RequestFactory

from dashboard import operations, operations_pages
from dashboard.access.actor import ActorMiddleware, ActorRequest
from dashboard.access.decorators import declared_operations, needs, own_account, public
from dashboard.access.models import User
from dashboard.audit.models import AuditEntry
from dashboard.errors import NotAllowed
from tests.dashboard.access.house import House, build


@needs(operations_pages.INBOX)
def inbox(request: ActorRequest, business: str) -> HttpResponse:
    return HttpResponse(f"{request.actor.name} at {request.actor.business.slug}")


def visit(user: User | AnonymousUser, slug: str, **headers: str) -> HttpResponse:
    request = RequestFactory().get(f"/{slug}/approvals/", headers=headers)
    request.user, request.session = user, SessionBase("k")
    middleware = ActorMiddleware(lambda _: HttpResponse())
    middleware(request)
    early = middleware.process_view(request, inbox, (), {"business": slug})
    return early or inbox(request, business=slug)  # type: ignore[return-value]


def test_a_member_comes_in_as_who_they_are_there(house: House) -> None:
    answer = visit(house.people["Rita"].user, house.business.slug)
    assert answer.content.decode() == f"Rita at {house.business.slug}"


def test_a_stranger_and_a_business_that_is_not_there_look_the_same(house: House) -> None:
    for slug in (build().business.slug, "nowhere"):
        with pytest.raises(Http404):
            visit(house.people["Rita"].user, slug)


def test_nobody_is_sent_to_sign_in_and_a_fragment_gets_401(house: House) -> None:
    answer = visit(AnonymousUser(), house.business.slug)
    assert (answer.status_code, "next=" in answer["Location"]) == (302, True)
    assert visit(AnonymousUser(), house.business.slug, hx_request="true").status_code == 401


def test_a_role_without_the_page_is_denied_with_a_sentence_and_audited(house: House) -> None:
    with pytest.raises(NotAllowed, match="your role here is Card user"):
        visit(house.people["Carla"].user, house.business.slug)
    line = AuditEntry.objects.get(chain=house.business.pk)
    assert (line.outcome, line.operation, line.actor_name, line.role) == ("DENIED", "inbox", "Carla", "CARD_USER")


def test_what_a_view_declares_can_be_read_off_it() -> None:
    @needs(operations.LIST_EXPENSES, operations.NOTE_EXPENSE)
    def both(request: ActorRequest) -> HttpResponse:
        return HttpResponse()

    @public
    def anyone(request: HttpRequest) -> HttpResponse:
        return HttpResponse()

    @own_account
    def mine(request: HttpRequest) -> HttpResponse:
        return HttpResponse()

    def forgotten(request: HttpRequest) -> HttpResponse:
        return HttpResponse()

    assert declared_operations(both) == (operations.LIST_EXPENSES, operations.NOTE_EXPENSE)
    assert declared_operations(anyone) == "public"
    assert declared_operations(mine) == "own_account"
    assert declared_operations(forgotten) is None
    with pytest.raises(TypeError):
        needs()


def test_a_button_is_there_exactly_where_the_click_would_pass(house: House) -> None:
    template = Template(
        "{% load access_tags %}{% can 'approve_expense' expense as verdict %}"
        "{% if verdict %}button{% else %}{{ verdict.reason }}{% endif %}"
        "{% can_open 'audit_log' as audit %}{% if audit %} audit{% endif %}"
    )
    request = RequestFactory().get("/")

    def shown(name: str) -> str:
        request.actor = house.actor(name)  # type: ignore[attr-defined]
        return template.render(Context({"request": request, "expense": house.expense("Rita")}))

    assert shown("Apollo") == "button audit"
    assert "your own" in shown("Rita")
    request.actor = house.actor("Rita")  # type: ignore[attr-defined]
    with pytest.raises(TypeError):
        template.render(Context({"request": request, "expence": house.expense("Carla")}))
