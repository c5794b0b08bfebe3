"""What a posting asks for by a statement that is written once is what the ORM has: each policy in force, in its order."""

from service.business_policies import enforcement
from service.business_policies.models import BusinessPolicy, PolicyState
from tests.service.business_policies.conftest import create_policy, limit, workflow
from tests.service.house import House

WINDOW = {"window": {"weekdays": [1, 2, 3, 4, 5], "from": "08:00", "to": "18:00"}}


def test_they_are_the_rules_of_the_rows(house: House) -> None:
    assert enforcement._rules_in_force(house.business) == []
    person = house.person("Cyrus")
    limited = create_policy(house, "CHANNEL", "MPESA", per_person=True, **limit(250, "DAY"))
    BusinessPolicy.objects.filter(pk=limited["_id"]).update(
        exempt_employee_ids=[person.id], exempt_team_ids=[person.team_id]
    )
    create_policy(house, "DAY_TIME", **WINDOW)
    asking = {"action": "REQUIRE_APPROVAL", "workflow_id": workflow(house)["_id"]}
    create_policy(house, "SUBCATEGORY", house.opened.subcategories[0].id, **asking)
    paused = create_policy(house, "CHANNEL", "CARD", **limit(1))
    BusinessPolicy.objects.filter(pk=paused["_id"]).exclude(status="").update(
        status=next(state for state in PolicyState.values if state != PolicyState.ACTIVE)
    )
    rows = list(enforcement.in_force(house.business))
    assert len(rows) == 3
    assert {row.type for row in rows if row.window} == {"DAY_TIME"}
    assert enforcement._rules_in_force(house.business) == [enforcement.rule(row) for row in rows]
