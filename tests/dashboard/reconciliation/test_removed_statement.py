"""A statement that was imported is taken back: with a reason, by a second admin where one is asked for, never a matched one; an
older one is reached, and the desk works without its suggestions."""

from __future__ import annotations

from typing import Any

import pytest

from dashboard.audit.models import AuditEntry
from dashboard.mirror.models import Wallet
from dashboard.pages.reconciliation.presenters import desk as presenters
from dashboard.pages.reconciliation.presenters import desk_page
from dashboard.pages.reconciliation.selectors import statements as statement_selectors
from dashboard.pages.reconciliation.selectors.matches import SuggestedMatches
from dashboard.proposals.apply import apply_proposal
from dashboard.proposals.models import FourEyes, Proposal, ProposalState
from dashboard.schemas.reconciliation import Suggestions
from tests.dashboard.conftest import World
from tests.dashboard.reconciliation.test_desk import act, bring, camt, desk, entries, wallet
from tests.dashboard.reconciliation.test_opening_difference import statement
from tests.dashboard.treasury.test_exchange import proven

__all__ = ["statement"]
WHY = "It is of another wallet."


def remove(world: World, statement: str, by: str = "Ada", of: Wallet | None = None, **form: str) -> Any:
    row = of or wallet(world)
    address = f"reconciliation/wallets/{row.remote_id}/statements/{statement}/remove/?statement={statement}"
    return world.client(by).post(world.address(address), {"reason": WHY, "key": "remove-1", **form})


def statements(world: World) -> list[str]:
    return [row["_id"] for row in world.upstream("/accounting/bank-statements")["docs"]]


def test_it_is_removed_with_a_reason_and_its_lines(world: World, statement: str) -> None:
    assert "Remove this statement" in desk(world)
    assert remove(world, statement, reason=" ").status_code == 422
    assert statements(world) == [statement]
    answer = remove(world, statement)
    assert answer.status_code == 302, answer.content.decode()
    assert statements(world) == []
    assert world.upstream("/accounting/bank-lines")["total"] == 0
    line = AuditEntry.objects.filter(chain=world.business.pk, operation="remove_bank_statement").latest("pk")
    assert "removed an imported bank statement" in line.sentence
    assert "Remove this statement" not in desk(world)
    assert bring(world, camt(world, [-12_34], opening=500_00)).status_code == 302


def test_where_a_second_admin_is_asked_for_it_waits_for_one(world: World, statement: str) -> None:
    FourEyes.objects.create(business=world.business, is_on=True)
    assert remove(world, statement).status_code == 302
    proposal = Proposal.objects.get(business=world.business)
    assert (proposal.reason, proposal.seen) == (WHY, {"lines": 1, "matched": 0})
    assert statements(world) == [statement]
    assert "Removing this statement" in desk(world)
    address = world.address(f"wallet-policies/proposals/{proposal.pk}/")
    assert "is removed with its 1 bank line" in world.client("Abel").get(address).content.decode()
    assert proven(world, "Ada").post(f"{address}confirm/").status_code == 403
    assert proven(world, "Abel").post(f"{address}confirm/").status_code == 302
    apply_proposal(proposal.pk)
    proposal.refresh_from_db()
    assert proposal.state == ProposalState.APPLIED, proposal.outcome
    assert statements(world) == []


def test_a_matched_one_stays_and_says_so(world: World) -> None:
    known = entries(world)[0]
    assert bring(world, camt(world, [known["amount_minor"]])).status_code == 302
    [brought] = statements(world)
    line = world.upstream("/accounting/bank-lines")["docs"][0]["_id"]
    assert act(world, "match", line=line, entry=str(known["seq"]), key="m-1").status_code == 302
    answer = remove(world, brought)
    assert answer.status_code == 409
    assert "undo their matches first" in answer.content.decode()
    assert statements(world) == [brought]


@pytest.mark.parametrize("person", ["Apollo", "Rita", "Carla"])
def test_who_removes_none(world: World, statement: str, person: str) -> None:
    assert remove(world, statement, by=person).status_code == 403
    assert statements(world) == [statement]


def test_a_named_statement_is_that_one_or_404(world: World, statement: str, monkeypatch: pytest.MonkeyPatch) -> None:
    for module in (statement_selectors, presenters):
        monkeypatch.setattr(module, "MOST_STATEMENTS", 1)
    assert bring(world, camt(world, [-1_00], opening=487_66)).status_code == 302
    newer = next(row for row in statements(world) if row != statement)
    address = f"reconciliation/wallets/{wallet(world).remote_id}/"
    assert "Pages of statements" in world.client("Ada").get(world.address(address)).content.decode()
    shown = world.client("Ada").get(world.address(f"{address}?statement={statement}")).content.decode()
    assert f"/statements/{statement}/remove/" in shown
    assert f"/statements/{newer}/remove/" not in shown
    for unknown in ("0" * 24, "..%2Fproof", "x"):
        assert world.client("Ada").get(world.address(f"{address}?statement={unknown}")).status_code == 404
    other = Wallet.objects.filter(business=world.business).exclude(org_wallet_ref="1").first()
    assert other is not None
    there = world.address(f"reconciliation/wallets/{other.remote_id}/?statement={statement}")
    assert world.client("Ada").get(there).status_code == 404
    assert remove(world, statement, of=other).status_code == 404
    assert statement in statements(world)


def test_the_desk_works_without_its_suggestions_and_says_so(
    world: World, statement: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    def without(*_: object) -> SuggestedMatches:
        return SuggestedMatches(Suggestions(docs=[], total=0, certain=0), "It took too long.", 3)

    monkeypatch.setattr(desk_page, "suggestions_of", without)
    shown = desk(world)
    assert "No matches could be suggested: It took too long." in shown
    # What is certain is asked for apart, and can be accepted all the same.
    assert "Accept 3 certain matches" in shown
    assert "Nothing is suggested." not in shown
    assert "Unmatched bank lines · 1" in shown
