"""What a leaver has begun, operates, is exempt from or could check: each with an heir or an action, and nobody is left waiting."""

from __future__ import annotations

import uuid
from typing import Any

import pytest

from dashboard.access.models import Membership
from dashboard.decisions.models import WeeklyDraw, WeeklySample
from dashboard.mirror.full_sync import refresh_spend_policies
from dashboard.mirror.models import Bill
from dashboard.offboarding import services
from dashboard.offboarding.models import OffboardingStep
from dashboard.proposals.models import FourEyes, Proposal
from tests.dashboard.bills import upstream
from tests.dashboard.conftest import World
from tests.dashboard.decisions.service_requests import _numbered as numbered
from tests.dashboard.decisions.service_requests import ask
from tests.dashboard.investments.test_investments import confirm, name, operators
from tests.dashboard.investments.test_investments import held as fund_account
from tests.dashboard.offboarding.conftest import begin, held, id_of, job_of, work
from tests.dashboard.people.conftest import shown, signed_in
from tests.dashboard.policies.conftest import create_policy, policy_at
from tests.days import business_day


def step_of(world: World, kind: str) -> OffboardingStep:
    return OffboardingStep.objects.get(offboarding=job_of(world), kind=kind)


def kinds(world: World, person: str, by: str = "Ada") -> dict[str, list[str]]:
    return {row.kind: [choice.name for choice in row.choices] for row in held(world, person, by)}


def draft_bill(world: World, person: str) -> Any:
    vendor = upstream.vendor(world)
    body = {
        "vendor_id": vendor["_id"], "bill_no": f"D-{uuid.uuid4().hex[:6]}", "status": "DRAFT",
        "issued_at": business_day().isoformat(), "due_at": business_day().isoformat(),
        "line_items": [{"description": "Paper", "qty": 1, "unit_price": 900}],
    }  # fmt: skip
    return ask(world, person, "POST", "/bills", body)


def draft_payout(world: World, person: str) -> dict[str, Any]:
    item = {
        "receiver_name": "Grace Achieng", "channel": "MPESA_SEND_MONEY", "account": "254712345678", "amount": 1500,
    }  # fmt: skip
    made: dict[str, Any] = ask(world, person, "POST", "/payments", {"name": "Wages", "items": [item]})
    return made


def all_drafts(world: World, person: str) -> tuple[Any, Any, Any]:
    """A draft of a bill, of a payment and of a payout."""
    bill = draft_bill(world, person)
    payment = ask(world, person, "POST", f"/bills/{upstream.bill(world)['_id']}/payments", {})
    payout = draft_payout(world, person)
    # The feed has an event once it is numbered.
    numbered(world, "bill.created", bill["_id"])
    numbered(world, "bill_payment.created", payment["payment_ref"])
    world.sync()
    return bill, payment, payout


def test_drafts_are_listed_and_left_with_those_who_can_go_on_with_them(world: World) -> None:
    bill, payment, payout = all_drafts(world, "Apollo")
    others = draft_payout(world, "Zawadi")
    world.sync()
    left = {(row.kind, row.remote_id) for row in held(world, "Apollo") if row.kind.startswith("draft")}
    assert left == {("draft_bill", bill["_id"]), ("draft_payment", payment["_id"]), ("draft_payout", payout["_id"])}
    assert others["_id"] not in {row.remote_id for row in held(world, "Apollo")}
    assert begin(world).status_code == 302
    work(world)
    for kind in ("draft_bill", "draft_payment", "draft_payout"):
        step = step_of(world, kind)
        assert (step.state, step.sentence) == ("DONE", "Approvers and admins can go on with it.")
    assert world.upstream(f"/bills/{bill['_id']}")["status"] == "DRAFT"


def test_drafts_are_cancelled_where_that_is_chosen(world: World) -> None:
    bill, payment, payout = all_drafts(world, "Apollo")
    chosen = {
        f"draft_bill-{bill['_id']}": "cancel",
        f"draft_payment-{payment['_id']}": "cancel",
        f"draft_payout-{payout['_id']}": "cancel",
    }
    answer = begin(world, **{f"{key}-action": action for key, action in chosen.items()})
    assert answer.status_code == 302, shown(answer)
    work(world)
    assert {step_of(world, kind).state for kind in ("draft_bill", "draft_payment", "draft_payout")} == {"DONE"}
    assert world.upstream(f"/bills/{bill['_id']}")["status"] == "CANCELLED"
    assert world.upstream("/payments", batch_no=payout["batch_no"])["docs"][0]["status"] == "CANCELLED"
    assert world.upstream(f"/bills/payments/{payment['payment_ref']}/status")["status"] == "WITHDRAWN"


def test_a_draft_that_somebody_sent_off_meanwhile_is_not_cancelled(world: World) -> None:
    bill, _, _ = all_drafts(world, "Apollo")
    assert begin(world, **{f"draft_bill-{bill['_id']}-action": "cancel"}).status_code == 302
    ask(world, "Ada", "PUT", f"/bills/{bill['_id']}", {"status": "OPEN"})
    Bill.objects.filter(business=world.business, remote_id=bill["_id"]).update(status="OPEN")
    work(world)
    assert "no draft any more" in step_of(world, "draft_bill").sentence
    assert world.upstream(f"/bills/{bill['_id']}")["status"] == "OPEN"


def test_what_was_sent_off_a_moment_ago_is_not_cancelled_though_the_copy_has_a_draft(world: World) -> None:
    bill, payment, payout = all_drafts(world, "Apollo")
    kept = {"draft_bill": bill["_id"], "draft_payment": payment["_id"], "draft_payout": payout["_id"]}
    begin(world, **{f"{kind}-{remote_id}-action": "cancel" for kind, remote_id in kept.items()})
    ask(world, "Ada", "PUT", f"/bills/{bill['_id']}", {"status": "OPEN"})
    ask(world, "Ada", "PATCH", f"/bills/{payment['bill_id']}/payments/{payment['payment_ref']}/request-approval")
    ask(world, "Ada", "PATCH", f"/payments/{payout['batch_no']}/initiate")
    work(world)
    for kind in kept:
        step = step_of(world, kind)
        said = (step.state, step.action, step.sentence)
        assert said == ("DONE", "keep", "It is no draft any more, and was left as it is."), kind
    assert world.upstream(f"/bills/{bill['_id']}")["status"] == "OPEN"
    assert world.upstream("/payments", batch_no=payout["batch_no"])["docs"][0]["status"] not in ("DRAFT", "CANCELLED")
    sent = world.upstream(f"/bills/payments/{payment['payment_ref']}/status")["status"]
    assert sent not in ("DRAFT", "WITHDRAWN")
    assert "Cancelled" not in shown(
        signed_in(world, "Ada").get(world.address(f"people/offboarding/{job_of(world).pk}/"))
    )


def only(world: World, *people: str) -> None:
    """Of those who decide on money, nobody but these can enter."""
    members = Membership.objects.filter(business=world.business, role__in=["REVIEWER", "APPROVER", "ADMIN"])
    members.exclude(pk__in=[world.people[person].pk for person in people]).update(is_active=False)


def test_a_draft_that_nobody_could_go_on_with_is_not_left(world: World) -> None:
    payout = draft_payout(world, "Abel")
    world.sync()
    only(world, "Abel")
    key = f"draft_payout-{payout['_id']}"
    page = shown(begin(world, "Abel", "Selma", by="Sam", **{f"{key}-action": "keep"}))
    assert "Nobody else here could go on with it" in page
    assert begin(world, "Abel", "Selma", by="Sam", **{f"{key}-action": "cancel"}).status_code == 302


def operated(world: World) -> Any:
    """A fund account that Carla operates: she may withdraw, and not invest."""
    account = fund_account(world)
    name(world, "Sam", account, withdraw=[id_of(world, "Carla")])
    confirm(world, "Selma", account, id_of(world, "Carla"))
    world.sync("funds")
    return account


def test_the_seat_at_a_fund_account_is_given_to_the_heir_with_the_leaver_s_rights(world: World) -> None:
    account = operated(world)
    assert kinds(world, "Carla")["operator"] == ["replace", "remove"]
    assert begin(world, "Carla", "Rita").status_code == 302
    work(world)
    step = step_of(world, "operator")
    assert (step.state, step.sentence) == ("DONE", "Rita Wanjiru counts once another admin has confirmed them."), step
    [seat] = operators(world, account)
    assert (seat["employee_id"], seat["can_invest"], seat["can_withdraw"]) == (id_of(world, "Rita"), False, True)


def test_an_heir_who_cannot_sign_in_or_names_themselves_operates_nothing(world: World) -> None:
    account = operated(world)
    Membership.objects.filter(pk=world.people["Rita"].pk).update(is_active=False)
    page = shown(begin(world, "Carla", "Rita"))
    assert "has no access to this dashboard" in page
    assert begin(world, "Carla", "Ada").status_code == 302
    work(world)
    step = step_of(world, "operator")
    assert (step.state, step.sentence) == ("FOR_ANOTHER", "Nobody names themselves an operator: another admin does it.")
    assert services.go_on(world.actor("Sam"), job_of(world))
    work(world)
    assert step_of(world, "operator").state == "DONE"
    assert [seat["employee_id"] for seat in operators(world, account)] == [id_of(world, "Ada")]


def exempt_policy(world: World, *people: str) -> str:
    exempt = {"team_ids": [], "employee_ids": [id_of(world, person) for person in people]}
    policy = create_policy(world, "CHANNEL", "MPESA", name="Phone money", limit=5000, currency="KES", exempt=exempt)
    return str(policy["_id"])


@pytest.mark.parametrize(("action", "left"), [("end", ["Juma"]), ("assign", ["Juma", "Rita"])])
def test_an_exemption_ends_or_is_given_to_the_heir(world: World, action: str, left: list[str]) -> None:
    world.sync()
    policy = exempt_policy(world, "Carla", "Juma")
    assert kinds(world, "Carla")["exemption"] == ["end", "assign"]
    assert begin(world, "Carla", "Rita", **{f"exemption-{policy}-action": action}).status_code == 302
    work(world)
    assert step_of(world, "exemption").state == "DONE"
    assert set(policy_at(world, policy)["exempt"]["employee_ids"]) == {id_of(world, person) for person in left}
    assert "exemption" not in kinds(world, "Carla")


def offboarding_page(world: World) -> str:
    return shown(signed_in(world, "Ada").get(world.address(f"people/offboarding/{job_of(world).pk}/")))


def test_of_an_exemption_that_was_over_before_nothing_is_given(world: World) -> None:
    world.sync()
    policy = exempt_policy(world, "Carla", "Juma")
    begin(world, "Carla", "Rita", **{f"exemption-{policy}-action": "assign"})
    exempt = {"team_ids": [], "employee_ids": [id_of(world, "Juma")]}
    ask(world, "Abel", "PUT", f"/business-policies/{policy}", {"exempt": exempt})
    work(world)
    step = step_of(world, "exemption")
    assert (step.state, step.sentence) == ("DONE", "It was over already: nothing was given to Rita Wanjiru.")
    assert policy_at(world, policy)["exempt"]["employee_ids"] == [id_of(world, "Juma")]
    page = offboarding_page(world)
    assert "Given to" not in page
    assert "Ended" in page


def test_of_a_seat_that_was_over_before_nothing_is_given(world: World) -> None:
    account = operated(world)
    begin(world, "Carla", "Rita")
    name(world, "Sam", account)
    work(world)
    step = step_of(world, "operator")
    assert (step.state, step.sentence) == ("DONE", "It was over already: nothing was given to Rita Wanjiru.")
    assert operators(world, account) == []
    assert "Seat given to" not in offboarding_page(world)


def test_with_a_second_admin_the_policy_s_change_is_proposed_with_its_words(world: World) -> None:
    world.sync()
    FourEyes.objects.create(business=world.business, is_on=True)
    policy = exempt_policy(world, "Carla")
    begin(world, "Carla", "Rita")
    work(world)
    proposal = Proposal.objects.get(business=world.business, target_type="policy", target_id=policy)
    assert step_of(world, "exemption").state == "PROPOSED"
    assert any("Exempt" in sentence for sentence in proposal.sentences)
    refresh_spend_policies(world.business)
    assert policy_at(world, policy)["exempt"]["employee_ids"] == [id_of(world, "Carla")]


def drawn(world: World, maker: str) -> WeeklySample:
    """The approval of somebody's payout, drawn for a second look."""
    payout = draft_payout(world, maker)
    world.sync()
    week = WeeklyDraw.objects.create(
        business=world.business, monday="2026-01-05", decided_count=0, automatic_count=1
    )  # fmt: skip
    return WeeklySample.objects.create(draw=week, object_type="payout", object_id=payout["_id"], title="Wages")


def test_drawn_approvals_are_left_with_others_who_can_check_them(world: World) -> None:
    drawn(world, "Ada")
    titles = [row.title for row in held(world, "Apollo") if row.kind == "sample"]
    assert titles == ["1 drawn approval of past weeks"]
    # Nobody checks their own.
    assert not [row for row in held(world, "Ada", "Abel") if row.kind == "sample"]
    begin(world)
    work(world)
    step = step_of(world, "sample")
    assert (step.state, step.sentence) == ("DONE", "Somebody else can check each of them.")


def test_what_nobody_else_could_check_keeps_the_offboarding_open(world: World) -> None:
    drawn(world, "Ada")
    only(world, "Ada", "Abel")
    assert begin(world, "Abel", "Selma", by="Sam").status_code == 302
    work(world)
    step = step_of(world, "sample")
    assert step.state == "REFUSED"
    assert "Nobody else can check Wages" in step.sentence
    Membership.objects.filter(pk=world.people["Zawadi"].pk).update(is_active=True)
    assert services.go_on(world.actor("Ada"), job_of(world))
    work(world)
    assert step_of(world, "sample").state == "DONE"
