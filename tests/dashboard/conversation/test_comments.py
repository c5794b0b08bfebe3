"""Comments: only on what one sees, only calling whom may see it, kept for good, one's own words changeable for minutes."""

import uuid
from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from django.utils import timezone

from dashboard.audit.models import AuditEntry
from dashboard.conversation.models import Comment
from tests.dashboard.pages.conftest import House


def say(house: House, person: str, item: Any, text: str, kind: str = "expense", **form: str) -> Any:
    address = house.address(f"conversation/{kind}/{item.remote_id}/say/")
    return house.browser(person).post(address, {"text": text, "key": uuid.uuid4().hex} | form)


def read(house: House, person: str, item: Any, kind: str = "expense") -> Any:
    return house.browser(person).get(house.address(f"conversation/{kind}/{item.remote_id}/"))


def test_what_is_said_stands_on_the_item_with_who_and_in_which_role(house: House) -> None:
    expense = house.expense()
    answer = say(house, "Ada", expense, "Was this the trip to Mombasa?")
    comment = Comment.objects.get(remote_id=expense.remote_id)
    assert answer["Location"] == house.address(f"expenses/{expense.remote_id}/#comment-{comment.pk}")
    page = read(house, "Rita", expense).content.decode()
    assert "Was this the trip to Mombasa?" in page
    assert "<b>Ada</b>" in page
    assert "admin" in page
    line = AuditEntry.objects.get(chain=house.business.pk, operation="comment")
    assert line.sentence == f"commented on expense {expense.merchant}"


def test_the_same_form_twice_says_it_once(house: House) -> None:
    expense = house.expense()
    for _ in range(2):
        assert say(house, "Ada", expense, "Once", key="the-same").status_code == 302
    assert Comment.objects.filter(remote_id=expense.remote_id).count() == 1
    assert say(house, "Apollo", expense, "Another", key="the-same").status_code == 409


@pytest.mark.parametrize("person", ["Carla"])
def test_what_one_may_not_see_is_not_there_to_talk_about(house: House, person: str) -> None:
    expense, payment = house.expense(), house.payment()
    for kind, item in (("expense", expense), ("approval", payment), ("payment", payment)):
        assert read(house, person, item, kind).status_code == 404
        assert say(house, person, item, "Hello", kind).status_code == 404
        people = house.address(f"conversation/{kind}/{item.remote_id}/people/")
        assert house.browser(person).get(people).status_code == 404
    assert not Comment.objects.filter(business=house.business).exists()


def test_another_business_and_another_kind_are_not_there(house: House, new_house: Callable[..., House]) -> None:
    other = new_house()
    theirs = other.expense()
    assert read(house, "Ada", theirs).status_code == 404
    assert read(house, "Ada", house.expense(), "nonsense").status_code == 404
    say(other, "Ada", theirs, "Ours alone")
    comment = Comment.objects.get(remote_id=theirs.remote_id)
    address = house.address(f"conversation/comments/{comment.pk}/")
    assert house.browser("Ada").post(address, {"text": "Changed"}).status_code == 404


def test_a_mention_of_somebody_who_may_not_see_it_is_refused_beside_the_field(house: House) -> None:
    expense = house.expense()
    answer = say(house, "Ada", expense, "@Carla what was this?")
    assert answer.status_code == 422
    page = answer.content.decode()
    assert "Carla does not have access to this expense" in page
    assert "@Carla what was this?" in page
    assert 'aria-invalid="true"' in page
    assert not Comment.objects.filter(remote_id=expense.remote_id).exists()
    own = house.expense(employee_id=house.employee_id("Carla"))
    assert say(house, "Ada", own, "@Carla what was this?").status_code == 302
    assert Comment.objects.get(remote_id=own.remote_id).mentions == [house.people["Carla"].pk]


@pytest.mark.parametrize(
    ("text", "sentence"),
    [("", "Enter a comment"), ("@Nobodyatall look", "Nobody here is called"), ("x" * 4001, "at most 4000")],
)
def test_what_is_wrong_is_told_and_kept(house: House, text: str, sentence: str) -> None:
    answer = say(house, "Ada", house.expense(), text)
    assert answer.status_code == 422
    assert sentence in answer.content.decode()
    assert text in answer.content.decode()


def test_a_first_name_of_two_people_asks_which(house: House) -> None:
    for person, name in (("Ada", "Ada Otieno"), ("Zawadi", "Ada Kimani")):
        house.people[person].user.name = name
        house.people[person].user.save()
    expense = house.expense()
    answer = say(house, "Apollo", expense, "@Ada please")
    assert answer.status_code == 422
    assert "Several people are called Ada" in answer.content.decode()
    assert say(house, "Apollo", expense, "@Ada Kimani please").status_code == 302
    assert Comment.objects.get(remote_id=expense.remote_id).mentions == [house.people["Zawadi"].pk]


def test_an_address_of_mail_calls_nobody(house: House) -> None:
    expense = house.expense()
    assert say(house, "Ada", expense, "Write to shop@example.com or rita@nairobi").status_code == 302
    assert Comment.objects.get(remote_id=expense.remote_id).mentions == []


def test_markup_is_text(house: House) -> None:
    expense = house.expense()
    say(house, "Ada", expense, "<script>alert(1)</script>\n@Rita look")
    page = read(house, "Ada", expense).content.decode()
    assert "<script>alert" not in page
    assert '<b class="named">@Rita</b>' in " ".join(page.split())


def test_ones_own_words_can_be_changed_for_minutes_and_the_old_ones_stay(house: House) -> None:
    expense = house.expense()
    say(house, "Ada", expense, "It is 840")
    comment = Comment.objects.get(remote_id=expense.remote_id)
    address = house.address(f"conversation/comments/{comment.pk}/")
    assert house.browser("Rita").post(address, {"text": "Hers"}).status_code == 403
    assert house.browser("Ada").post(address, {"text": ""}).status_code == 422
    assert house.browser("Ada").post(address, {"text": "It is 842"}).status_code == 302
    page = read(house, "Rita", expense).content.decode()
    assert "It is 842" in page
    assert "edited" in page
    assert "It is 840" in page
    line = AuditEntry.objects.get(chain=house.business.pk, operation="edit_comment", outcome="NOTED")
    assert (line.before, line.after) == ({"comment": "It is 840"}, {"comment": "It is 842"})
    Comment.objects.filter(pk=comment.pk).update(written_at=timezone.now() - timedelta(minutes=11))
    assert house.browser("Ada").post(address, {"text": "Too late"}).status_code == 403
    assert Comment.objects.get(pk=comment.pk).text == "It is 842"


def test_only_those_who_may_see_it_are_suggested(house: House) -> None:
    expense = house.expense()
    address = house.address(f"conversation/expense/{expense.remote_id}/people/?q=")
    names = {person["name"] for person in house.browser("Ada").get(address).json()["people"]}
    assert {"Rita", "Apollo"} <= names
    assert not {"Carla", "Ada"} & names


def test_a_swap_brings_the_conversation_alone_and_puts_the_eye_on_what_was_said(house: House) -> None:
    expense = house.expense()
    address = house.address(f"conversation/expense/{expense.remote_id}/say/")
    answer = house.browser("Ada").post(address, {"text": "Seen", "key": "k"}, headers={"HX-Request": "true"})
    page = answer.content.decode()
    assert "<html" not in page
    assert 'tabindex="-1" autofocus' in " ".join(page.split())


def test_a_way_back_leads_nowhere_else(house: House) -> None:
    expense = house.expense()
    for wrong in ("https://evil.example/", "//evil.example/", "/other-business/"):
        answer = say(house, "Ada", expense, "Hello", back=wrong)
        assert answer["Location"].startswith(house.address("expenses/"))
