"""Several people added together: every cell is checked first; then each is added by a command of its own, and retried alone."""

from __future__ import annotations

from typing import Any

import pytest
from django.core import mail
from django.core.files.uploadedfile import SimpleUploadedFile

from dashboard.access.models import Membership
from dashboard.access.roles import Role
from dashboard.bulk import worker
from dashboard.bulk.models import Batch, BatchRow
from dashboard.mirror.models import Employee, Team
from dashboard.onboarding.models import Newcomer
from dashboard.proposals.invitations import invite_member
from dashboard.proposals.models import FourEyes
from tests.dashboard.conftest import World
from tests.dashboard.people.conftest import shown, signed_in


@pytest.fixture(autouse=True)
def no_queue(monkeypatch: pytest.MonkeyPatch) -> None:
    """The tests are the worker."""
    monkeypatch.setattr("dashboard.bulk.batches.enqueue_on_commit", lambda *_, **__: None)


def team_name(world: World) -> str:
    team: Team = Team.objects.filter(business=world.business, status="ACTIVE").order_by("name")[0]
    return team.name


def post(world: World, who: str, text: str, **more: Any) -> Any:
    return signed_in(world, who).post(world.address("people/new/several/"), {"text": text, **more})


def lines(world: World, *rows: str) -> str:
    return "\n".join(["name\temail\tphone\trole\tteam", *(row.replace("TEAM", team_name(world)) for row in rows)])


NADIA = "Nadia Wekesa\tnadia@example.com\t0711 000111\tCard user\tTEAM"
OTIENO = "Otieno Odhiambo\totieno@example.com\t0711000222\tREVIEWER\tTEAM"


def carry_out(world: World, who: str, answer: Any) -> Batch:
    assert answer.status_code == 302, shown(answer)
    batch = Batch.objects.get(pk=answer["Location"].rstrip("/").rsplit("/", 1)[-1])
    signed_in(world, who).post(world.address(f"bulk/{batch.pk}/begin/"))
    worker.run(batch.pk)
    batch.refresh_from_db()
    return batch


def results(batch: Batch) -> dict[str, str]:
    return dict(batch.rows.order_by("number").values_list("title", "state"))


def test_pasted_rows_are_planned_and_each_is_added(world: World) -> None:
    answer = post(world, "Ada", lines(world, NADIA, OTIENO))
    plan = shown(signed_in(world, "Ada").get(answer["Location"]))
    assert "2 people" in plan
    assert not Employee.objects.filter(business=world.business, name="Nadia Wekesa").exists()
    batch = carry_out(world, "Ada", answer)
    assert results(batch) == {"Nadia Wekesa": "DONE", "Otieno Odhiambo": "DONE"}
    row = Employee.objects.get(business=world.business, name="Otieno Odhiambo")
    assert world.upstream(f"/employees/{row.remote_id}")["role"] == "REVIEWER"
    assert "Otieno Odhiambo" in shown(world.client("Ada").get(world.address("people/newcomers/?view=all")))


def test_a_csv_file_does_as_well(world: World) -> None:
    text = lines(world, NADIA).replace("\t", ";")
    file = SimpleUploadedFile("people.csv", text.encode("utf-8-sig"))
    answer = signed_in(world, "Ada").post(world.address("people/new/several/"), {"text": "", "file": file})
    assert results(carry_out(world, "Ada", answer)) == {"Nadia Wekesa": "DONE"}


def test_one_wrong_cell_and_none_is_added_and_what_was_typed_is_kept(world: World) -> None:
    wrong = "Otieno Odhiambo\tnobody\t0711000222\tKing\tNowhere"
    answer = post(world, "Ada", lines(world, NADIA, wrong))
    page = shown(answer)
    assert answer.status_code == 422
    assert "1 of 2 rows cannot be added, so none was added." in page
    for cell, said in (
        ("email", "Enter an email address"), ("role", "One of: Card user, Reviewer."),
        ("team", "no active team of this name"),
    ):  # fmt: skip
        assert said in page.split(f'id="id_row-2-{cell}_error"')[1][:120]
    for typed in ("nobody", "King", "Nowhere", "Nadia Wekesa", "0711 000111"):
        assert f'value="{typed}"' in page
    assert not Newcomer.objects.filter(business=world.business).exists()


def test_corrected_in_the_table_they_pass(world: World) -> None:
    cells = {
        "rows": "1", "row-1-name": "Nadia Wekesa", "row-1-email": "nadia@example.com", "row-1-phone": "0711 000111",
        "row-1-role": "card_user", "row-1-team": team_name(world).lower(),
    }  # fmt: skip
    answer = signed_in(world, "Ada").post(world.address("people/new/several/"), cells)
    assert results(carry_out(world, "Ada", answer)) == {"Nadia Wekesa": "DONE"}


def test_an_address_that_somebody_has_and_one_that_stands_twice_are_refused_at_their_cells(world: World) -> None:
    taken = Employee.objects.filter(business=world.business).exclude(email="")[0]
    twin = OTIENO.replace("otieno@example.com", "NADIA@example.com")
    page = shown(post(world, "Ada", lines(world, NADIA, twin, f"Another\t{taken.email}\t0711000333\tCard user\tTEAM")))
    assert "The same address as row 1." in page.split('id="id_row-2-email_error"')[1][:80]
    assert f"{taken.name} has this address already." in page.split('id="id_row-3-email_error"')[1][:120].replace(
        "&#x27;", "'"
    )


@pytest.mark.parametrize(
    ("text", "said"),
    [("", "Paste at least one row"), ("name\temail\n", "Paste at least one row"), ("name,name\nA,B", "Two columns both say"),
     ("A,a@b.co\n" * 101, "At most 100 people at a time")],
)  # fmt: skip
def test_text_that_is_no_table_is_refused(world: World, text: str, said: str) -> None:
    answer = post(world, "Ada", text)
    assert answer.status_code == 422
    assert said in shown(answer)


def test_a_card_with_a_limit_comes_with_them_where_the_actor_may_issue_one(world: World) -> None:
    row = "Nadia Wekesa\tnadia@example.com\t0711 000111\tCard user\tTEAM\t1,500.00"
    text = lines(world, row).replace("\tteam\n", "\tteam\tcard limit\n", 1)
    assert results(carry_out(world, "Ada", post(world, "Ada", text))) == {"Nadia Wekesa": "DONE"}
    newcomer = Newcomer.objects.get(business=world.business)
    # Tried again, it would ask for no second one.
    assert newcomer.card_limit_minor is None
    cards = world.upstream(f"/cards/employee/{newcomer.employee_id}")["docs"]
    assert [limit["amount"] for card in cards for limit in card["controls"]["limits"]] == [150000]
    assert newcomer.outcome == "Card issued."


def test_a_super_admin_invites_them_to_this_dashboard_too(world: World) -> None:
    row = "Nadia Wekesa\tnadia@example.com\t0711 000111\tApprover\tTEAM\tyes"
    text = lines(world, row).replace("\tteam\n", "\tteam\taccess\n", 1)
    carry_out(world, "Sam", post(world, "Sam", text))
    member = Membership.objects.get(business=world.business, user__email="nadia@example.com")
    assert (member.role, bool(member.employee_id)) == ("APPROVER", True)
    assert mail.outbox[-1].to == ["nadia@example.com"]


def test_a_mail_that_does_not_go_out_is_said_and_whoever_was_added_is_sent_another_link(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*_: object, **__: object) -> None:
        raise OSError

    monkeypatch.setattr("dashboard.proposals.invitations.send_mail", refuse)
    row = "Nadia Wekesa\tnadia@example.com\t0711 000111\tReviewer\tTEAM\tyes"
    text = lines(world, row).replace("\tteam\n", "\tteam\taccess\n", 1)
    assert results(carry_out(world, "Sam", post(world, "Sam", text))) == {"Nadia Wekesa": "DONE"}
    newcomer = Newcomer.objects.get(business=world.business)
    assert newcomer.outcome.startswith("The invitation could not be sent by email.")
    # Invited again, they are sent a link, and are no member a second time.
    monkeypatch.undo()
    member = Membership.objects.get(business=world.business, user__email="nadia@example.com")
    sam = world.actor("Sam")
    again = invite_member(
        sam, email="nadia@example.com", name="", role=Role(member.role), employee_id=member.employee_id, key="again"
    )
    assert again is None
    assert mail.outbox[-1].to == ["nadia@example.com"]


def test_a_role_that_moves_money_is_given_to_nobody_by_one_alone(world: World) -> None:
    row = "Nadia Wekesa\tnadia@example.com\t0711 000111\tApprover\tTEAM\tyes"
    text = lines(world, row).replace("\tteam\n", "\tteam\taccess\n", 1)
    planned = post(world, "Sam", text)
    # Switched on between the plan and its being carried out: the second admin is not passed by.
    FourEyes.objects.create(business=world.business, is_on=True)
    batch = carry_out(world, "Sam", planned)
    assert results(batch) == {"Nadia Wekesa": "REFUSED"}
    assert "need a second admin" in BatchRow.objects.get(batch=batch).sentence
    assert not Employee.objects.filter(business=world.business, name="Nadia Wekesa").exists()
    assert not Membership.objects.filter(business=world.business, user__email="nadia@example.com").exists()
    # From then on it is refused where it was typed.
    answer = post(world, "Sam", text)
    assert answer.status_code == 422
    assert not Employee.objects.filter(business=world.business, name="Nadia Wekesa").exists()


def test_whoever_is_no_super_admin_any_more_makes_nobody_a_member(world: World) -> None:
    row = "Nadia Wekesa\tnadia@example.com\t0711 000111\tReviewer\tTEAM\tyes"
    text = lines(world, row).replace("\tteam\n", "\tteam\taccess\n", 1)
    planned = post(world, "Sam", text)
    Membership.objects.filter(pk=world.people["Sam"].pk).update(role="ADMIN")
    batch = carry_out(world, "Sam", planned)
    assert results(batch) == {"Nadia Wekesa": "REFUSED"}
    assert not Membership.objects.filter(business=world.business, user__email="nadia@example.com").exists()


def test_a_row_that_is_refused_stands_beside_the_others_and_is_retried_alone(world: World) -> None:
    answer = post(world, "Ada", lines(world, NADIA, OTIENO))
    body = {"organization_email": "otieno@example.com", "name": "Faster", "phone_number": "254711000999",
            "role": "CARD_USER", "team_code": Team.objects.filter(business=world.business, status="ACTIVE")[0].code}  # fmt: skip
    other = world.send("POST", "/employees", body)
    batch = carry_out(world, "Ada", answer)
    assert results(batch) == {"Nadia Wekesa": "DONE", "Otieno Odhiambo": "REFUSED"}
    assert "already" in BatchRow.objects.get(batch=batch, title="Otieno Odhiambo").sentence
    world.send("DELETE", f"/employees/{other['_id']}")
    again = signed_in(world, "Ada").post(world.address(f"bulk/{batch.pk}/retry/"))
    assert results(carry_out(world, "Ada", again)) == {"Otieno Odhiambo": "DONE"}
    assert Employee.objects.filter(business=world.business, name="Nadia Wekesa").count() == 1


def test_a_lost_answer_is_unknown_and_is_not_done_twice(proxied_world: World) -> None:
    world = proxied_world
    answer = post(world, "Ada", lines(world, NADIA))
    assert world.proxy is not None
    world.proxy.fail("lost reply", path="/employees", method="POST")
    batch = carry_out(world, "Ada", answer)
    assert results(batch) == {"Nadia Wekesa": "UNKNOWN"}
    world.proxy.heal()
    again = signed_in(world, "Ada").post(world.address(f"bulk/{batch.pk}/retry/"))
    carry_out(world, "Ada", again)
    named = [row for row in world.upstream("/employees", limit=200)["docs"] if row["name"] == "Nadia Wekesa"]
    assert len(named) == 1


@pytest.mark.parametrize("person", ["Carla", "Rita", "Apollo"])
def test_nobody_else_adds_anybody(world: World, person: str) -> None:
    assert post(world, person, lines(world, NADIA)).status_code == 403
    assert not Newcomer.objects.filter(business=world.business).exists()


def test_an_admin_gives_no_role_above_reviewer(world: World) -> None:
    page = shown(post(world, "Ada", lines(world, NADIA.replace("Card user", "Approver"))))
    assert "One of: Card user, Reviewer." in page
