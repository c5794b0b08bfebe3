"""What is said on a wallet policy: by whom it shows itself to, to whom it shows itself, on its own page."""

from __future__ import annotations

import uuid
from typing import Any

import pytest

from dashboard.conversation.models import Comment
from dashboard.mirror.models import WalletPolicy
from dashboard.notifications.models import Notice
from tests.dashboard.conftest import World
from tests.dashboard.wallet_policies.conftest import at, page, policy, words


def say(world: World, person: str, found: WalletPolicy, text: str, **form: str) -> Any:
    address = world.address(f"conversation/wallet_policy/{found.remote_id}/say/")
    given = {"text": text, "key": uuid.uuid4().hex, "back": at(world, f"{found.remote_id}/")}
    return world.client(person).post(address, given | form)


def test_who_has_the_policy_is_called_to_it_and_answers_where_the_notice_leads(world: World) -> None:
    found, carla = policy(world, "Carla"), world.people["Carla"]
    answer = say(world, "Ada", found, f"@{carla.user.get_full_name()} do you still need this?")
    comment = Comment.objects.get(remote_id=found.remote_id)
    assert answer["Location"] == at(world, f"{found.remote_id}/") + f"#comment-{comment.pk}"
    notice = Notice.objects.get(membership=carla)
    assert (notice.kind, notice.remote_id) == ("wallet_policy", found.remote_id)
    opened = world.client("Carla").post(world.address(f"notifications/{notice.pk}/"))
    landed = opened["Location"].partition("#")[0]
    assert landed == at(world, f"{found.remote_id}/")
    assert "do you still need this?" in words(world.client("Carla").get(landed))
    assert say(world, "Carla", found, "Until Friday.").status_code == 302
    assert "Until Friday." in page(world, "Apollo", f"{found.remote_id}/")


@pytest.mark.parametrize("person", ["Rex", "Rita"])
def test_who_may_not_see_the_policy_neither_reads_nor_writes_nor_is_called(world: World, person: str) -> None:
    found = policy(world, "Carla")
    say(world, "Ada", found, "Only for us")
    browser = world.client(person)
    for rest in ("", "people/"):
        assert browser.get(world.address(f"conversation/wallet_policy/{found.remote_id}/{rest}")).status_code == 404
    assert browser.get(at(world, f"{found.remote_id}/")).status_code == 404
    assert say(world, person, found, "Hello").status_code == 404
    name = world.people[person].user.get_full_name()
    refused = say(world, "Ada", found, f"@{name} look")
    assert refused.status_code == 422
    assert f"{name} does not have access to this wallet policy" in words(refused)
    people = world.client("Ada").get(
        world.address(f"conversation/wallet_policy/{found.remote_id}/people/"), {"q": name[:4]}
    )
    assert name not in str(people.json())
    assert Comment.objects.filter(remote_id=found.remote_id).count() == 1


def test_what_was_changed_and_what_was_said_stand_in_one_timeline(world: World) -> None:
    found = policy(world, "Carla")
    say(world, "Apollo", found, "She is on leave")
    world.client("Ada").post(at(world, f"{found.remote_id}/suspend/"), {"step": "confirm", "key": "a"})
    shown = page(world, "Ada", f"{found.remote_id}/")
    talk = shown[shown.index("Activity and comments") :]
    assert talk.index("suspended wallet policy") < talk.index("She is on leave")
    assert "View all changes" in shown
    assert "View all changes" not in page(world, "Carla", f"{found.remote_id}/")
