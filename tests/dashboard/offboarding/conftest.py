"""A leaver with cards, seats, subscriptions and a delegation, and the worker that carries their offboarding out."""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from django.utils import timezone

from dashboard.delegation.models import Delegation
from dashboard.mirror.full_sync import refresh_workflows
from dashboard.mirror.models import Employee
from dashboard.offboarding import worker
from dashboard.offboarding.holdings import LeftBehind, left_behind_by
from dashboard.offboarding.models import Offboarding, OffboardingStep
from tests.dashboard.conftest import World
from tests.dashboard.people.conftest import address_of, employee, signed_in

Worlds = Callable[..., World]


@pytest.fixture(autouse=True)
def handed(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """What was handed to the worker: the tests are the worker."""
    given: list[str] = []
    monkeypatch.setattr("dashboard.offboarding.services.enqueue_on_commit", lambda _, job, **__: given.append(job))
    return given


def id_of(world: World, name: str) -> str:
    found: str = world.employee(name)["employee_id"]
    return found


def settle_in(world: World, name: str = "Apollo") -> None:
    """Gives somebody three cards more, two subscriptions, a workflow seat, a delegation, a report and money."""
    person = id_of(world, name)
    wallet = next(row["org_wallet_ref"] for row in world.upstream("/accounts")["docs"] if row["currency"] == "KES")
    for number in range(3):
        world.send(
            "POST", "/cards",
            {"employee_id": person, "type": "VIRTUAL", "name": f"Travel {number}", "org_wallet_ref": wallet,},
        )  # fmt: skip
    for number in range(2):
        world.send(
            "POST", "/subscriptions/create",
            {"name": f"Design {number}", "vendor": f"Design {number}", "amount": 900, "currency": "KES",
             "billing_frequency": "MONTHLY", "employee_id": person},
        )  # fmt: skip
    steps = [{"order": 1, "approver_ids": [person]}, {"order": 2, "role": "APPROVER"}]
    world.send("POST", "/bills/workflow", {"name": "Large bills", "steps": steps})
    world.send("POST", "/employees/update-profile", {"employee_id": id_of(world, "Carla"), "supervisor_id": person})
    world.send(
        "POST", "/employees/allocate-funds", {"employee_id": person, "amount": 500, "org_wallet_ref": wallet},
        {"X-Acting-Employee": id_of(world, "Juma")},
    )  # fmt: skip
    world.sync()
    refresh_workflows(world.business)
    now = timezone.now()
    Delegation.objects.create(
        business=world.business, delegator=world.people[name], delegate=world.people["Zawadi"], kinds=["expense"],
        begins_at=now - timedelta(days=1), ends_at=now + timedelta(days=5), key="away",
    )  # fmt: skip


def held(world: World, name: str, by: str = "Ada") -> list[LeftBehind]:
    """What somebody leaves behind."""
    return left_behind_by(world.actor(by), employee(world, name))


def form_of(holdings: list[LeftBehind], heir: str, **more: str) -> dict[str, str]:
    """The form with the first choice of everything, and a main successor."""
    chosen = {f"{row.key}-action": row.choices[0].name for row in holdings if row.choices}
    return {"main-heir": heir, "key": "o" * 32, **chosen, **more}


def begin(world: World, name: str = "Apollo", heir: str = "Zawadi", by: str = "Ada", **more: str) -> Any:
    """Starts somebody's offboarding by its form."""
    form = form_of(held(world, name, by), id_of(world, heir), **more)
    return signed_in(world, by).post(address_of(world, name, "offboard/"), form)


def started(world: World, name: str = "Apollo", heir: str = "Zawadi") -> None:
    """Starts somebody's offboarding, which nothing speaks against."""
    answer = begin(world, name, heir)
    wrong = re.findall(r'_error">([^<]*)|role="alert">([^<]*)', answer.content.decode())
    assert answer.status_code == 302, wrong


def job_of(world: World) -> Offboarding:
    """The newest offboarding of a business."""
    return Offboarding.objects.filter(business=world.business).latest("started_at")


def work(world: World) -> dict[str, str]:
    """Carries out what is due, as the jobs would, and answers with the state of each step."""
    job = job_of(world)
    OffboardingStep.objects.filter(offboarding=job).update(due_at=None)
    worker.run(job.pk)
    return states(world)


def states(world: World) -> dict[str, str]:
    """The state of each step, by its number, kind and action."""
    rows = OffboardingStep.objects.filter(offboarding=job_of(world)).order_by("number")
    return {f"{row.number} {row.kind} {row.action.partition(':')[0]}": row.state for row in rows}


def kinds_in(world: World, state: str) -> set[str]:
    """The kinds of the steps in a state."""
    return {name.split()[1] for name, now in states(world).items() if now == state}


def suspended(world: World, name: str) -> None:
    """Suspends somebody at the service, and copies it."""
    world.send("PATCH", f"/employees/{id_of(world, name)}/suspend-employee")
    Employee.objects.filter(business=world.business, remote_id=id_of(world, name)).update(status="SUSPENDED")
