"""A file is imported as it was shown, its checks say what was checked, and a match is undone at its own wallet's desk."""

from __future__ import annotations

from django.urls import reverse

from dashboard.mirror.models import Wallet
from tests.dashboard.accounting.test_periods import page
from tests.dashboard.conftest import World
from tests.dashboard.reconciliation.test_desk import COLUMNS, act, bring, camt, desk, entries, upload, wallet


def test_what_others_say_of_a_header_does_not_change_a_file_that_was_shown(world: World) -> None:
    day = entries(world)[0]["effective_on"]
    text = f"When;What;How much;More\n{day};Fee;-5,00;Other\n"
    mine, theirs = upload(world, text, name="a.csv").url, upload(world, f"{text}\n", by="Abel", name="b.csv").url
    assert world.client("Ada").post(f"{mine}columns/", COLUMNS).status_code == 302
    assert "Fee" in page(world.client("Ada").get(mine))
    assert world.client("Abel").post(f"{theirs}columns/", {**COLUMNS, "description": "More"}).status_code == 302
    assert world.client("Ada").post(f"{mine}import/", {}).status_code == 302
    assert [row["description"] for row in world.upstream("/accounting/bank-lines")["docs"]] == ["Fee"]


def test_fifty_known_lines_do_not_hide_what_blocks_a_file(world: World) -> None:
    amounts = [-place for place in range(1, 61)]
    assert bring(world, camt(world, amounts)).status_code == 302
    shown = page(world.client("Ada").get(upload(world, camt(world, [*amounts, -1_00], closing=1)).url))
    assert "do not come to the closing balance" in shown
    assert "more." in shown


def test_a_match_is_undone_at_the_desk_of_its_wallet_alone(world: World) -> None:
    known = entries(world)[0]
    assert bring(world, camt(world, [known["amount_minor"]])).status_code == 302
    line = world.upstream("/accounting/bank-lines")["docs"][0]["_id"]
    assert act(world, "match", line=line, entry=str(known["seq"]), key="m-1").status_code == 302
    made = world.upstream("/accounting/bank-matches")["docs"][0]["_id"]
    other = Wallet.objects.filter(business=world.business).exclude(org_wallet_ref="1").first()
    assert other is not None
    slug = world.business.slug
    address = reverse("reconciliation_undo", args=[slug, other.remote_id, made])
    assert world.client("Ada").post(address, {"key": "u-1"}).status_code == 302
    assert world.upstream("/accounting/bank-matches")["total"] == 1
    assert (
        world.client("Ada").post(address.replace(other.remote_id, wallet(world).remote_id), {"key": "u-2"}).status_code
        == 302
    )
    assert world.upstream("/accounting/bank-matches")["total"] == 0
    assert "Nothing is matched yet." in desk(world)
