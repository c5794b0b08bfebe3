"""What is done to people and teams, and to the funds of somebody's cards."""

from __future__ import annotations

import itertools
import uuid
from typing import Any, ClassVar

from dashboard.mirror.apply import upsert
from dashboard.mirror.models import Employee, Origin, Team
from tests.dashboard.no_false_statement.sent import Changed, Made, Sent
from tests.dashboard.people.conftest import wallets

phones = itertools.count(1)


def somebody(name: str) -> dict[str, Any]:
    """The form of a new person."""
    phone = f"0711 {next(phones):06}"
    return {"name": name, "email": f"{uuid.uuid4().hex[:12]}@example.com", "phone": phone, "role": "CARD_USER"}


class CreateEmployee(Made):
    path, operation, address = "/employees", "create_employee", "people/new/"

    def filled(self) -> dict[str, Any]:
        team = Team.objects.filter(business=self.world.business, status="ACTIVE").order_by("pk")[0]
        return somebody(self.name) | {"team": team.code}

    def rows(self) -> list[dict[str, Any]]:
        return list(self.world.upstream("/employees", limit=1000)["docs"])


class OfEmployee(Changed):
    """Something done to somebody new, of whom nothing is open; `verb` is the rest of the address."""

    path, verb = "/employees/", ""
    becomes: ClassVar[str] = ""
    thing: Employee

    def make(self) -> Employee:
        team = Team.objects.filter(business=self.world.business, status="ACTIVE").order_by("pk")[0]
        body = {
            "name": self.name, "organization_email": f"{uuid.uuid4().hex[:12]}@example.com", "role": "CARD_USER",
            "phone_number": f"254711{next(phones):06}", "team_code": team.code,
        }  # fmt: skip
        return self.copied(self.world.send("POST", "/employees", body))

    def copied(self, made: dict[str, Any]) -> Employee:
        upsert("employee", self.world.business, [made], Origin.POLL)
        return Employee.objects.get(business=self.world.business, remote_id=made["_id"])

    def open(self) -> None:
        self.address, self.form = f"people/{self.thing.remote_id}/{self.verb}/", self.filled()

    def filled(self) -> dict[str, Any]:
        return {}

    def there(self) -> dict[str, Any]:
        return dict(self.world.upstream(f"/employees/{self.thing.remote_id}"))

    def is_done(self) -> int:
        return int(self.there()["status"] == self.becomes)


class UpdateProfile(OfEmployee):
    operation, verb = "update_profile", "profile"

    def filled(self) -> dict[str, Any]:
        there = self.there()
        return {
            "name": f"{self.name} Junior", "email": there["organization_email"], "phone": there["phone"],
            "supervisor": "",
        }  # fmt: skip

    def is_done(self) -> int:
        return int(self.there()["name"] == f"{self.name} Junior")


class MoveToTeam(OfEmployee):
    operation, verb = "move_to_team", "team"

    def filled(self) -> dict[str, Any]:
        others = Team.objects.filter(business=self.world.business, status="ACTIVE")
        self.other = others.exclude(remote_id=self.thing.team_id).order_by("pk")[0].remote_id
        return {"team": self.other}

    def is_done(self) -> int:
        return int(self.there()["team_id"] == self.other)


class SuspendEmployee(OfEmployee):
    operation, verb, becomes = "suspend_employee", "suspend", "SUSPENDED"


class ActivateEmployee(OfEmployee):
    operation, verb, becomes = "activate_employee", "activate", "ACTIVE"

    def make(self) -> Employee:
        made = super().make()
        return self.copied(self.world.send("PATCH", f"/employees/{made.remote_id}/suspend-employee"))


class DeleteEmployee(OfEmployee):
    operation, verb = "delete_employee", "remove"

    def is_done(self) -> int:
        rows = self.world.upstream("/employees", limit=1000)["docs"]
        there = [row["status"] for row in rows if row["_id"] == self.thing.remote_id]
        return int(not {"ACTIVE", "SUSPENDED"} & set(there))


class HandOver(OfEmployee):
    operation, verb = "transfer_ownership", "transfer"

    def filled(self) -> dict[str, Any]:
        return somebody(f"{self.name} Junior") | {"existing": "SUSPEND"}

    def is_done(self) -> int:
        rows = self.world.upstream("/employees", limit=1000)["docs"]
        return sum(row["name"] == f"{self.name} Junior" for row in rows)


class AllocateFunds(Changed):
    person, path, operation = "Apollo", "/employees/allocate-funds", "allocate_funds"
    prefix, verb = "allocate", "allocate"

    def make(self) -> int:
        self.world.sandbox("top-up", org_wallet_ref="1", amount=1_000)
        return self.has()

    def has(self) -> int:
        return wallets(self.world, "Juma").get("KES", 0)

    def open(self) -> None:
        self.address = f"people/{self.world.employee('Juma')['employee_id']}/{self.verb}/"
        self.form = {f"{self.prefix}-amount": "70", f"{self.prefix}-wallet": "1", f"{self.prefix}-note": ""}

    def is_done(self) -> int:
        return (self.has() - self.thing) // 70_00


class RemoveFunds(AllocateFunds):
    path, operation, prefix, verb = "/employees/remove-funds", "remove_funds", "remove", "remove-funds"

    def make(self) -> int:
        self.world.sandbox("top-up", org_wallet_ref="1", amount=1_000)
        body = {"employee_id": self.world.employee("Juma")["employee_id"], "amount": 200, "org_wallet_ref": "1"}
        apollo = {"X-Acting-Employee": self.world.employee("Apollo")["employee_id"]}
        self.world.send("POST", "/employees/allocate-funds", body, apollo)
        return self.has()

    def is_done(self) -> int:
        return (self.thing - self.has()) // 70_00


class CreateTeam(Made):
    path, operation, address = "/teams", "create_team", "people/teams/new/"

    def filled(self) -> dict[str, Any]:
        return {"name": self.name, "code": "", "status": "ACTIVE"}

    def rows(self) -> list[dict[str, Any]]:
        return list(self.world.upstream("/teams", limit=1000)["docs"])


class OfTeam(Changed):
    """Something done to a team without members; `verb` is the rest of the address."""

    path, verb = "/teams/", ""
    thing: Team

    def make(self) -> Team:
        return self.copied(self.world.send("POST", "/teams", {"name": self.name, "code": uuid.uuid4().hex[:8].upper()}))

    def copied(self, made: dict[str, Any]) -> Team:
        upsert("team", self.world.business, [made], Origin.POLL)
        return Team.objects.get(business=self.world.business, remote_id=made["_id"])

    def open(self) -> None:
        self.address, self.form = f"people/teams/{self.thing.remote_id}/{self.verb}/", self.filled()

    def filled(self) -> dict[str, Any]:
        return {}

    def there(self) -> dict[str, Any]:
        return next(
            row for row in self.world.upstream("/teams", limit=1000)["docs"] if row["_id"] == self.thing.remote_id
        )

    def seats(self) -> list[str]:
        rows = self.world.upstream(f"/teams/{self.thing.remote_id}")["reviewers"]
        return [row["employee_id"] for row in rows]


class UpdateTeam(OfTeam):
    operation, verb = "update_team", "edit"

    def filled(self) -> dict[str, Any]:
        return {"name": f"{self.name} 2", "code": self.thing.code, "status": "ACTIVE"}

    def is_done(self) -> int:
        return int(self.there()["name"] == f"{self.name} 2")


class DeleteTeam(OfTeam):
    operation, verb = "delete_team", "delete"

    def is_done(self) -> int:
        rows = self.world.upstream("/teams", limit=1000)["docs"]
        return int(not any(row["_id"] == self.thing.remote_id and row["status"] == "ACTIVE" for row in rows))


class AddReviewer(OfTeam):
    path, operation, verb = "/employees/make-employee-team-reviewer", "make_team_reviewer", "reviewers"

    def filled(self) -> dict[str, Any]:
        return {"reviewer": self.world.employee("Rex")["employee_id"]}

    def is_done(self) -> int:
        return len(self.seats())


class RemoveReviewer(OfTeam):
    path, operation = "/employees/remove-employee-team-reviewer", "remove_team_reviewer"

    def open(self) -> None:
        rex = self.world.employee("Rex")["employee_id"]
        body = {"employee_id": rex, "team_id": self.thing.remote_id, "read_only": False}
        self.thing = self.copied(self.world.send("POST", "/employees/make-employee-team-reviewer", body))
        self.address, self.form = f"people/teams/{self.thing.remote_id}/reviewers/{rex}/remove/", {}

    def is_done(self) -> int:
        return int(not self.seats())


STAFF: tuple[type[Sent], ...] = (
    CreateEmployee, UpdateProfile, MoveToTeam, SuspendEmployee, ActivateEmployee, DeleteEmployee, HandOver,
    AllocateFunds, RemoveFunds, CreateTeam, UpdateTeam, DeleteTeam, AddReviewer, RemoveReviewer,
)  # fmt: skip
