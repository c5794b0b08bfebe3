"""Changes of access in the inbox: whose they are to confirm, in which order they stand, what the desk says and does."""

from __future__ import annotations

from datetime import timedelta
from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from dashboard.audit.models import AuditEntry
from dashboard.proposals.models import SWITCH_OFF, Proposal, ProposalState
from tests.dashboard.pages.conftest import House, numbers
from tests.dashboard.pages.test_settings_and_audit import sure
from tests.dashboard.wallet_policies.conftest import words

HTMX = {"HX-Request": "true"}
SENTENCE = "Carla can no longer pay vendors from it."


def change(house: House, by: str = "Ada", **given: Any) -> Proposal:
    """Somebody's proposal that Carla can no longer pay."""
    number = next(numbers)
    values: dict[str, Any] = {
        "operation": "modify_wallet_policy", "wallet_id": f"wallet-{number}", "employee_id": house.employee_id("Carla"),
        "title": f"Carla · Wallet {number}", "sentences": [SENTENCE], "reason": "She changed teams",
        "consequences": ["Carla can no longer pay vendors from it; 5 others still can."],
        "key": f"key-{number}", "proposed_by": house.people[by], "proposed_at": timezone.now() - timedelta(hours=2),
    } | given  # fmt: skip
    return Proposal.objects.create(business=house.business, **values)


def inbox(house: House, name: str, query: str = "show=mine") -> str:
    return words(house.browser(name).get(house.address(f"approvals/?{query}")))


def at(house: House, proposal: Proposal, verb: str = "") -> str:
    return house.address(f"approvals/access-change/{proposal.pk}/{verb}")


def test_it_waits_for_every_other_admin_with_its_kind_age_and_title(house: House) -> None:
    proposal = change(house)
    for name in ("Sam", "Selma"):
        assert f"{proposal.title} Access change · Ada" in inbox(house, name)
        assert "2 h" in inbox(house, name)
    for name in ("Ada", "Apollo", "Rita"):
        assert proposal.title not in inbox(house, name)


@pytest.mark.parametrize(("name", "there"), [("Ada", True), ("Sam", False), ("Apollo", False), ("Rita", False)])
def test_among_what_waits_for_others_it_is_for_whom_it_does_not_wait(house: House, name: str, there: bool) -> None:
    proposal = change(house)
    assert (proposal.title in inbox(house, name, "show=others")) is there
    Proposal.objects.filter(pk=proposal.pk).update(state=ProposalState.DECLINED)
    assert proposal.title not in inbox(house, name, "show=others")
    assert (proposal.title in inbox(house, name, "show=decided")) is (name in {"Ada", "Sam"})


def test_whom_it_is_about_and_whose_role_could_not_make_it_wait_for_others(house: House) -> None:
    own = change(house, "Sam", employee_id=house.employee_id("Selma"))
    mandate = {"operation": "update_mandate", "target_type": "mandate", "employee_id": "", "wallet_id": ""}
    about = [house.employee_id("Selma")]
    change(house, "Sam", **mandate, target_id="a", sentences=["Rita leaves the mandate."])
    change(house, "Sam", **mandate, target_id="b", sentences=["Selma leaves the mandate."], about=about)
    assert own.title in inbox(house, "Ada")
    assert own.title not in inbox(house, "Selma")
    assert "Rita leaves the mandate Access change · Sam" in inbox(house, "Selma")
    assert "leaves the mandate" not in inbox(house, "Ada")
    assert "Selma leaves the mandate" in inbox(house, "Ada", "show=others")
    assert "Selma leaves the mandate" not in inbox(house, "Selma")


def test_it_stands_among_the_rest_in_each_order(house: House) -> None:
    now = timezone.now()
    house.expense(merchant="Shell", transaction_date=now - timedelta(hours=1))
    first = change(house, "Sam", title="Later", proposed_at=now - timedelta(hours=3))
    change(house, "Sam", title="Soon", effective_at=now + timedelta(hours=5), proposed_at=now - timedelta(hours=9))
    order = {
        "": "Soon Later Shell",
        "newest": "Shell Later Soon",
        "age": "Soon Later Shell",
        "due": "Soon Shell Later",
        "value": "Shell Later Soon",
    }
    for sort, expected in order.items():
        lines = inbox(house, "Ada", f"show=mine&sort={sort}")
        assert [*sorted(expected.split(), key=lines.index)] == expected.split(), sort
        page = house.browser("Ada").get(f"{at(house, first)}?show=mine&sort={sort}").content.decode()
        at_place = expected.split().index("Later")
        assert ('rel="prev"' in page, 'rel="next"' in page) == (at_place > 0, at_place < 2), sort


def test_the_filters_find_it_by_kind_and_by_words_and_no_other(house: House) -> None:
    proposal = change(house, title="Carla Kamau · Fleet KES")
    for query in ("kind=access", "q=fleet", "q=ada", "q=kam"):
        assert proposal.title in inbox(house, "Sam", f"show=mine&{query}"), query
    for query in ("kind=expense", "q=simba", "risk=high", "currency=KES", "team=fleet"):
        assert proposal.title not in inbox(house, "Sam", f"show=mine&{query}"), query
    assert "Access changes" in inbox(house, "Sam")
    assert "Access changes" not in inbox(house, "Apollo")


def test_the_pane_says_what_follows_who_wants_it_why_and_from_when(house: House) -> None:
    proposal = change(house, effective_at=timezone.now() + timedelta(days=9))
    text = words(house.browser("Sam").get(at(house, proposal)))
    for part in (SENTENCE, "5 others still can", "proposed by Ada", "She changed teams", "Effective date", "Confirm"):
        assert part in text, part
    own = words(house.browser("Ada").get(at(house, proposal)))
    assert "You proposed this: a second admin must confirm it." in own
    assert "Reason for declining" not in own


def test_confirmed_at_the_desk_the_next_item_follows(house: House) -> None:
    first, after = change(house), change(house, proposed_at=timezone.now() - timedelta(days=1))
    answer = sure(house, "Sam").post(at(house, first, "approve/"), {"list": "show=mine"}, headers=HTMX)
    assert answer.status_code == 200
    first.refresh_from_db()
    assert (first.state, first.decided_by) == (ProposalState.CONFIRMED, house.people["Sam"])
    assert after.title in words(answer)
    assert f'id="row-access-change/{first.pk}"' in answer.content.decode()
    assert answer["HX-Push-Url"].startswith(at(house, after))
    assert first.title not in inbox(house, "Sam")
    assert first.title in inbox(house, "Sam", "show=others")


@pytest.mark.parametrize("headers", [{}, HTMX])
def test_confirming_asks_first_whether_it_is_them_and_leads_back_to_the_change(house: House, headers: Any) -> None:
    proposal, browser = change(house), house.browser("Sam")
    answer = browser.post(at(house, proposal, "approve/"), {"list": "show=mine"}, headers=headers)
    leads = answer.get("HX-Redirect") or answer["Location"]
    assert "/reauthenticate/" in leads
    proposal.refresh_from_db()
    assert proposal.state == ProposalState.WAITING
    back = parse_qs(urlsplit(leads).query)["next"][0]
    assert back == f"{at(house, proposal)}?show=mine&confirmed=1"
    verified = sure(house, "Sam")
    assert "Nothing has been sent yet: confirm now to continue." in words(verified.get(back))
    verified.post(at(house, proposal, "approve/"), {"list": "show=mine"})
    proposal.refresh_from_db()
    assert proposal.state == ProposalState.CONFIRMED


def test_the_page_of_a_proposal_asks_whoever_confirms_too_and_keeps_the_form(house: House) -> None:
    proposal, browser = change(house), house.browser("Sam")
    address = house.address(f"wallet-policies/proposals/{proposal.pk}/confirm/")
    answer = browser.post(address, {"key": "confirm-1"})
    assert "/reauthenticate/" in answer["Location"]
    assert address in browser.get("/-/kept/").content.decode()
    # Whoever may not is refused, not asked who they are.
    assert house.browser("Ada").post(address).status_code == 403
    proposal.refresh_from_db()
    assert proposal.state == ProposalState.WAITING


def test_declining_asks_nobody_who_they_are(house: House) -> None:
    proposal = change(house)
    house.browser("Sam").post(at(house, proposal, "reject/"), {"list": "show=mine", "reason": "She still pays"})
    proposal.refresh_from_db()
    assert proposal.state == ProposalState.DECLINED


def test_without_javascript_one_comes_to_the_next_and_is_told(house: House) -> None:
    proposal, browser = change(house), house.browser("Sam")
    answer = browser.post(
        at(house, proposal, "reject/"), {"list": "show=mine", "reason": "She still pays"}, follow=True
    )
    assert answer.redirect_chain[-1][0] == house.address("approvals/?show=mine")
    assert f"You declined the access change {proposal.title}. Nothing has changed." in words(answer)
    proposal.refresh_from_db()
    assert (proposal.state, proposal.outcome) == (ProposalState.DECLINED, "She still pays")


def test_declining_needs_a_reason_and_a_longer_one_is_kept(house: House) -> None:
    proposal, browser = change(house), house.browser("Sam")
    answer = browser.post(at(house, proposal, "reject/"), {"list": "show=mine"}, headers=HTMX)
    assert answer.status_code == 422
    assert "Enter a reason: the proposer will read it." in words(answer)
    answer = browser.post(at(house, proposal, "reject/"), {"reason": "long " * 110}, headers=HTMX)
    assert answer.status_code == 422
    assert "long long" in words(answer)
    proposal.refresh_from_db()
    assert proposal.state == ProposalState.WAITING


def test_decided_meanwhile_it_is_shown_as_it_is_now(house: House) -> None:
    proposal = change(house)
    Proposal.objects.filter(pk=proposal.pk).update(state=ProposalState.WITHDRAWN, decided_by=house.people["Ada"])
    answer = house.browser("Sam").post(at(house, proposal, "approve/"), {"list": "show=mine"}, headers=HTMX)
    assert answer.status_code == 409
    assert "This has already been decided" in words(answer)
    assert "Withdrawn" in words(answer)


@pytest.mark.parametrize("name", ["Ada", "Apollo", "Rita", "Carla"])
def test_who_may_not_confirm_is_refused_and_that_is_kept(house: House, name: str) -> None:
    proposal, browser = change(house), house.browser(name)
    for verb in ("approve/", "reject/"):
        assert browser.post(at(house, proposal, verb), {"reason": "no"}).status_code == 403
    proposal.refresh_from_db()
    assert proposal.state == ProposalState.WAITING
    assert AuditEntry.objects.filter(chain=house.business.pk, outcome="DENIED").count() == 2
    assert browser.get(at(house, proposal)).status_code == (200 if name == "Ada" else 403)


def test_another_business_has_no_such_change(house: House, new_house: Any) -> None:
    proposal, stranger = change(house), new_house()
    address = stranger.address(f"approvals/access-change/{proposal.pk}/")
    assert stranger.browser("Sam").get(address).status_code == 404
    assert stranger.browser("Sam").post(f"{address}approve/").status_code == 404


def test_switching_the_second_admin_off_is_decided_here_too(house: House) -> None:
    proposal = change(
        house, operation=SWITCH_OFF, wallet_id="", employee_id="", title="Access changes without a second admin"
    )
    sure(house, "Sam").post(at(house, proposal, "approve/"))
    proposal.refresh_from_db()
    assert proposal.state == ProposalState.CONFIRMED


def test_no_bulk_decides_on_one_and_the_plan_says_so(house: House) -> None:
    proposal, expense, browser = change(house, "Sam"), house.expense(), house.browser("Ada")
    keys = [f"access-change/{proposal.pk}", f"expense/{expense.remote_id}"]
    sentence = "1 access change is left out: access changes are decided one by one."
    for chosen in ({"ids": keys}, {"all": "matching"}):
        answer = browser.post(house.address("approvals/plan/"), {"verb": "approve", "list": "show=mine"} | chosen)
        assert sentence in words(answer)
        assert "Approve 1" in words(answer)
    alone = {"verb": "approve", "list": "show=mine", "ids": keys[:1]}
    answer = browser.post(house.address("approvals/plan/"), alone, follow=True)
    assert "Access changes are decided one by one." in words(answer)


def test_counts_and_news_have_it(house: House) -> None:
    since = (timezone.now() - timedelta(hours=3)).isoformat()
    change(house, title="Carla · Fleet")
    browser = house.browser("Sam")
    totals = browser.get(house.address("approvals/totals/?show=mine"), headers=HTMX)
    assert "1 waits for you · oldest 2 h" in words(totals)
    news = browser.get(house.address("approvals/news/"), {"show": "mine", "since": since})
    assert news.json() == {"count": 1}


def test_an_approver_pays_nothing_for_them(house: House) -> None:
    for name, there in (("Apollo", False), ("Ada", True)):
        browser = house.browser(name)
        browser.get(house.address("approvals/?show=mine"))
        with CaptureQueriesContext(connection) as queries:
            browser.get(house.address("approvals/?show=mine"))
        unions = [query["sql"] for query in queries if "UNION ALL" in query["sql"] and "mirror_expense" in query["sql"]]
        assert len(unions) == 1
        assert ("proposals_proposal" in unions[0]) is there


def test_home_counts_it_among_what_waits_for_one(house: House) -> None:
    change(house)
    for name, text in (("Sam", "1 oldest 2 h"), ("Ada", "Nothing waits for you. 1 waits for others")):
        answer = house.browser(name).get(house.address("home/queue/"), headers=HTMX)
        assert text in words(answer)


def test_a_super_admins_inbox_opens_where_something_waits(house: House) -> None:
    assert "Nothing waits for others" in inbox(house, "Sam", "")
    proposal = change(house)
    assert proposal.title in inbox(house, "Sam", "")
    assert proposal.title not in inbox(house, "Sam", "show=others")
