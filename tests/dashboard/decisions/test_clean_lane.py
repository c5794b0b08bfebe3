"""What looks clean, and its sample: the rule, its gate, and a draw that nobody chooses."""

from __future__ import annotations

import time
import uuid
from datetime import timedelta
from typing import Any

import pytest
from django.utils import timezone

from dashboard import operations
from dashboard.audit.models import AuditEntry
from dashboard.decisions.bulk import submit_bulk
from dashboard.decisions.filters import Filters
from dashboard.decisions.models import Decision, DecisionState, Sample
from dashboard.decisions.preconditions import fingerprint_of
from dashboard.decisions.samples import check_sample, draw_samples, drawn_of, to_check, why_not_checked
from dashboard.decisions.services import submit_decision
from dashboard.decisions.totals import inbox_totals
from dashboard.errors import InvalidState, NotAllowed
from dashboard.mirror.models import Expense
from dashboard.pages.approvals.tables.inbox import inbox_page
from dashboard.pages.home.presenters.issues import issues_of
from tests.dashboard.pages.conftest import House, make_house
from tests.dashboard.pages.test_home_own import widget

APPROVE = operations.APPROVE_EXPENSE
USUAL = (80_000, 90_000, 100_000)


@pytest.fixture
def house(db: None) -> House:
    found = make_house()
    for minor in USUAL:
        found.expense(merchant="Shell", amount_minor=minor, status="APPROVED")
    return found


def clean(house: House, **given: Any) -> Expense:
    """An expense that looks clean, but for what is given."""
    values: dict[str, Any] = {
        "merchant": "Shell", "amount_minor": 85_000, "has_receipt": True, "receipt_reading": "SAME", "read_hash": "-",
        "risk": 5,
    }  # fmt: skip
    return Expense.objects.get(pk=house.expense(**values | given).pk)


def lane(house: House, name: str = "Apollo") -> list[str]:
    page = inbox_page(house.actor(name), Filters(lane="clean"), timezone.now())
    return [row.key.partition("/")[2] for row in page.rows]


def test_what_nothing_speaks_against_looks_clean(house: House) -> None:
    row = clean(house, payload={"policy_flags": [], "receipt_required": True})
    for minor in (USUAL[0], USUAL[-1]):
        clean(house, amount_minor=minor)
    house.payment()
    assert len(lane(house)) == 3
    assert row.remote_id in lane(house)
    assert inbox_totals(house.actor("Apollo"), Filters()).clean == 3


@pytest.mark.parametrize(
    "given",
    [
        {"has_receipt": False, "receipt_reading": "", "read_hash": ""},
        {"receipt_reading": "DIFFERS"},
        {"receipt_reading": "NOTHING"},
        {"read_hash": "read before it changed"},
        {"payload": {"policy_flags": ["CATEGORY:1"]}},
        {"risk": 30},
        {"amount_minor": 100_001},
        {"amount_minor": 79_999},
        {"merchant": "Never seen"},
        {"merchant": ""},
        {"currency": "USD"},
    ],
    ids=lambda given: "-".join(f"{name}" for name in given),
)
def test_each_of_these_keeps_it_out(house: House, given: dict[str, Any]) -> None:
    clean(house, **given)
    assert lane(house) == []


def test_a_merchant_that_was_approved_twice_is_not_usual_yet(house: House) -> None:
    Expense.objects.filter(business=house.business, amount_minor=USUAL[1]).delete()
    clean(house)
    assert lane(house) == []


def test_ones_own_and_other_teams_stay_out_and_a_card_user_has_no_lane(house: House) -> None:
    own = clean(house, employee_id=house.employee_id("Apollo"))
    other = clean(house, team_id="another", team_name="Another")
    assert lane(house) == [other.remote_id]
    assert lane(house, "Rita") == [own.remote_id], "her team's alone"
    assert lane(house, "Carla") == []
    assert "Looks clean" not in house.browser("Carla").get(house.address("approvals/")).content.decode()


def approved(house: House, count: int, name: str = "Apollo", **given: Any) -> list[Decision]:
    """Approvals of what looks clean, in one bulk, settled as the dispatcher would."""
    rows = [clean(house, **given) for _ in range(count)]
    prints = {row.remote_id: fingerprint_of(row) for row in rows}
    bulk = submit_bulk(house.actor(name), APPROVE, rows, fingerprints=prints, key=str(uuid.uuid4()))
    assert not bulk.rows.filter(state="LEFT_OUT").exists()
    settle(Decision.objects.filter(bulk=bulk))
    return list(Decision.objects.filter(bulk=bulk))


def settle(rows: Any) -> None:
    # As the database lets a decision move: through the hands of the sender.
    rows.update(state=DecisionState.SENDING)
    rows.update(state=DecisionState.DONE, settled_at=timezone.now(), has_left=True)


def test_of_each_bulk_the_share_is_drawn_and_one_at_least(house: House) -> None:
    few, many = approved(house, 3), approved(house, 41)
    assert draw_samples() == 1 + 3
    assert Sample.objects.filter(decision__in=few).count() == 1
    assert Sample.objects.filter(decision__in=many).count() == 3
    assert draw_samples() == 0, "it is drawn once"
    lines = AuditEntry.objects.filter(chain=house.business.pk, operation="draw_sample")
    assert lines.count() == 4
    assert {line.after["share"] for line in lines} == {"5 %"}
    assert {(line.actor_name, line.role) for line in lines} == {("Countersign", "")}, (
        "nobody's role: it draws by itself"
    )


def test_the_lot_follows_from_the_decisions_alone(house: House) -> None:
    batch = approved(house, 20)
    drawn = {decision.pk for decision in drawn_of(batch, 10)}
    assert len(drawn) == 2
    assert {decision.pk for decision in drawn_of(batch[::-1], 10)} == drawn
    assert drawn < {decision.pk for decision in drawn_of(batch, 50)}


def test_a_bulk_is_not_drawn_while_any_of_it_is_open_and_what_was_undone_is_not_in_it(house: House) -> None:
    first, second = approved(house, 2)
    Decision.objects.filter(pk=first.pk).delete()
    row = clean(house)
    bulk = submit_bulk(
        house.actor("Apollo"), APPROVE, [row], fingerprints={row.remote_id: fingerprint_of(row)}, key="waiting"
    )
    assert draw_samples() == 1
    assert Sample.objects.get().decision_id == second.pk
    Decision.objects.filter(bulk=bulk).update(state=DecisionState.CANCELLED, settled_at=timezone.now())
    assert draw_samples() == 0


def test_whoever_approves_one_by_one_is_sampled_too_once_the_day_is_over(house: House) -> None:
    row = clean(house)
    decision = submit_decision(house.actor("Apollo"), APPROVE, row, fingerprint=fingerprint_of(row), key="one")
    assert decision.looked_clean
    settle(Decision.objects.filter(pk=decision.pk))
    assert draw_samples() == 0
    Decision.objects.filter(pk=decision.pk).update(created_at=timezone.now() - timedelta(days=2))
    assert draw_samples() == 1


def test_what_did_not_look_clean_is_never_drawn(house: House) -> None:
    row = clean(house, merchant="Never seen")
    decision = submit_decision(house.actor("Apollo"), APPROVE, row, fingerprint=fingerprint_of(row), key="one")
    settle(Decision.objects.filter(pk=decision.pk))
    Decision.objects.filter(pk=decision.pk).update(created_at=timezone.now() - timedelta(days=2))
    assert draw_samples() == 0


def test_somebody_else_checks_it_and_the_audit_says_so(house: House) -> None:
    approved(house, 1)
    draw_samples()
    sample = Sample.objects.get()
    assert why_not_checked(house.actor("Apollo"), sample) == "You approved it: somebody else must check it."
    with pytest.raises(NotAllowed):
        check_sample(house.actor("Apollo"), sample.pk, "Fine", is_in_order=True)
    assert list(to_check(house.actor("Apollo"))) == []
    assert list(to_check(house.actor("Zawadi"))) == [sample]
    check_sample(house.actor("Zawadi"), sample.pk, "The receipt is right", is_in_order=True)
    line = AuditEntry.objects.get(chain=house.business.pk, operation="check_sample", outcome="NOTED")
    assert line.sentence.endswith("drawn for a second look: in order")
    assert (line.actor_name, line.reason) == ("Zawadi", "The receipt is right")
    with pytest.raises(InvalidState):
        check_sample(house.actor("Ada"), sample.pk, "Again", is_in_order=True)


def test_nobody_checks_the_approval_of_their_own_expense(house: House) -> None:
    approved(house, 1, employee_id=house.employee_id("Zawadi"))
    draw_samples()
    with pytest.raises(NotAllowed, match="your own expense"):
        check_sample(house.actor("Zawadi"), Sample.objects.get().pk, "Fine", is_in_order=True)


def test_the_page_takes_what_was_found_and_refuses_none(house: House) -> None:
    approved(house, 1)
    draw_samples()
    sample, zawadi = Sample.objects.get(), house.browser("Zawadi")
    address = house.address(f"approvals/samples/{sample.pk}/check/")
    for form, sentence in (
        ({"found": "in_order", "note": ""}, "Enter what you found"),
        ({"note": "Not of that day"}, "Choose a result."),
    ):
        answer = zawadi.post(address, {**form, "key": "a" * 20})
        assert answer.status_code == 422
        assert sentence in answer.content.decode()
        assert form["note"] in answer.content.decode()
    zawadi.post(address, {"found": "problem", "note": "Not of that day", "key": "b" * 20})
    body = zawadi.get(house.address("approvals/samples/")).content.decode()
    assert "Problem found" in body
    assert "Not of that day" in body
    assert house.browser("Carla").get(house.address("approvals/samples/")).status_code == 403


def test_a_sample_of_ones_own_expense_does_not_wait_for_oneself(house: House) -> None:
    approved(house, 1, employee_id=house.employee_id("Zawadi"))
    draw_samples()
    assert not to_check(house.actor("Zawadi")).exists()
    assert to_check(house.actor("Ada")).count() == 1


def test_home_leads_to_the_sample_whoever_has_to_check_it(house: House) -> None:
    approved(house, 1)
    draw_samples()
    sentence = "1 approval was drawn for the audit sample and waits for a check"
    (issue,) = [issue for issue in issues_of(house.actor("Zawadi")) if sentence in issue.sentence]
    assert issue.href == house.address("approvals/samples/")
    for name in ("Apollo", "Carla"):
        assert not any("audit sample" in issue.sentence for issue in issues_of(house.actor(name)))
    check_sample(house.actor("Zawadi"), Sample.objects.get().pk, "It is of another day", is_in_order=False)
    sentences = [issue.sentence for issue in issues_of(house.actor("Zawadi"))]
    assert not any("audit sample" in sentence for sentence in sentences)
    assert "A problem was found in 1 sampled approval in the last 30 days." in sentences


def test_a_super_admin_sets_the_share_and_those_who_are_sampled_do_not(house: House) -> None:
    address = house.address("settings/audit-sample/")
    for name in ("Apollo", "Ada"):
        assert house.browser(name).post(address, {"percent": "1", "key": "a" * 20}).status_code == 403
    owner = house.browser("Sam")
    session = owner.session
    session["account_authentication_methods"] = [{"method": "password", "at": time.time()}]
    session.save()
    refused = owner.post(address, {"percent": "0", "key": "b" * 20})
    assert refused.status_code == 422
    assert "Enter a share from 1 to 100." in refused.content.decode()
    owner.post(address, {"percent": "20", "key": "c" * 20})
    house.business.refresh_from_db()
    assert house.business.sample_percent == 20
    line = AuditEntry.objects.get(chain=house.business.pk, operation="change_sample_share", outcome="DONE")
    assert (line.before, line.after) == ({"share": "5 %"}, {"share": "20 %"})


def test_home_leads_to_the_lane_with_its_count_for_those_who_have_it(house: House) -> None:
    for minor in USUAL:
        clean(house, amount_minor=minor)
    house.expense(merchant="Unknown", amount_minor=999_999)
    link = f'href="{house.address("approvals/")}?show=mine&amp;lane=clean">Looks clean <span class="fig">3</span>'
    assert link in widget(house, "Apollo", "queue")
    # Whoever decides nothing has no such lane, and with nothing in it there is no link.
    assert "lane=clean" not in widget(house, "Carla", "queue")
    Expense.objects.filter(business=house.business, merchant="Shell").update(status="APPROVED")
    assert "lane=clean" not in widget(house, "Apollo", "queue")
