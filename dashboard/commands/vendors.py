"""Vendors: making, changing and deleting one; proposing an account to pay one on, confirming and rejecting it.

Raises what `run` raises; what the service refuses, NotFound too, stands on the form. Each answers with the vendor.
Interface: Vendors (POST, PUT and DELETE /vendors…).
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any

from django import forms
from django.db import transaction

from dashboard import operations, operations_payables
from dashboard.access.actor import Actor
from dashboard.access.models import Business, Membership
from dashboard.access.operation import Operation
from dashboard.access.subject import Subject, subject_of
from dashboard.audit.models import Outcome
from dashboard.audit.record import record
from dashboard.commands.run import CommandResult, Key, run
from dashboard.errors import FAILED, NotFound
from dashboard.mirror.mappers import moment
from dashboard.mirror.models import SyncCursor, Vendor
from dashboard.notifications.services import notify
from dashboard.notifications.topics import PAYEES
from dashboard.schemas.vendors import AccountConfirmation, InstructionBody, VendorBody

KIND = "vendor"
NAMES = {"taxPin": "tax_pin"}
REFUSALS = (*FAILED, NotFound)
# Where an account stands, as the service says it.
QUARANTINED, IN_USE = "QUARANTINED", "ACTIVE"


@dataclass(frozen=True, slots=True)
class KnownPayeeAccount:
    """An account of a vendor as the copy knows it: never whole, `last` are its last characters.

    `by` is the employee who proposed it, or the client by its name; `replaces` the account that it would take the place
    of; `status` is empty where the service does not say one; `why` is the reason that was given for it. Until
    `cool_off_ends` the service confirms it only with a call-back; "" where it says no such moment.
    """

    vendor: Vendor
    id: str
    channel: str
    last: str
    name: str = ""
    bank: str = ""
    status: str = ""
    default: bool = False
    verified: bool = False
    replaces: str = ""
    by: str = ""
    at: str = ""
    why: str = ""
    cool_off_ends: str = ""

    @property
    def is_waiting(self) -> bool:
        """Whether it waits for a second person, and is not paid to."""
        return self.status == QUARANTINED

    @property
    def proposed_at(self) -> datetime | None:
        """Since when it waits for a second person; None of one that does not, or where the service says no moment."""
        return moment(self.at) if self.is_waiting and self.at else None

    @property
    def proposer_id(self) -> str:
        """The employee who proposed it; "" where that was no person but a client of the service."""
        return "" if ":" in self.by or self.by == "system" else self.by


def accounts_of(vendor: Vendor) -> list[KnownPayeeAccount]:
    """The accounts of a vendor, as the copy has them."""
    return [
        KnownPayeeAccount(vendor, **{name: row[name] for name in KnownPayeeAccount.__dataclass_fields__ if name in row})
        for row in vendor.instructions
    ]


@subject_of.register
def _(payee_account: KnownPayeeAccount) -> Subject:
    vendor = payee_account.vendor
    # A client of the service is no person of the business: what it proposed, anybody of the right role may decide.
    makers = (
        frozenset({payee_account.proposer_id})
        if payee_account.proposer_id
        else frozenset[str]()
        if payee_account.by
        else None
    )
    return replace(subject_of(vendor), makers=makers)


def holds_changes(business: Business) -> bool:
    """Whether the service is known to hold a new account until a second person has confirmed it.

    Only a service that says in which state an account is does so. Where no vendor has an account yet, one that offers
    what is beside the interface (the feed of events) does.
    """
    known = Vendor.objects.filter(business=business).exclude(instructions=[])
    states = {
        row.get("status", "")
        for instructions in known.values_list("instructions", flat=True)[:50]
        for row in instructions
    }
    if states:
        return bool(states - {""})
    return SyncCursor.objects.filter(business=business, has_feed=True).exists()


def proposal_subject(vendor: Vendor) -> Subject:
    """The vendor as the gate judges a proposed account of it: the rule `quarantine` holds where the service holds it."""
    return replace(subject_of(vendor), held_until_confirmed=holds_changes(vendor.business))


def create_vendor(actor: Actor, body: VendorBody, *, key: Key, form: forms.BaseForm | None = None) -> CommandResult:
    """Adds a vendor without an account; `body` is a `NewVendor`."""
    return run(
        actor, operations.CREATE_VENDOR, None, body, key=key, kind=KIND, form=form, names=NAMES, refusals=REFUSALS
    )


def update_vendor(
    actor: Actor, vendor: Vendor, body: VendorBody, *, key: Key, form: forms.BaseForm | None = None
) -> CommandResult:
    """Changes a vendor: every field of `body`, a `VendorChange`, as it shall be. The audit keeps what it was.

    Whoever calls back before an account is confirmed needs the number that the record had before.
    """
    before = {"phone": vendor.phone, "email": vendor.email, "name": vendor.name}
    result = run(
        actor, operations.UPDATE_VENDOR, vendor, body, key=key, path=_path(vendor), kind=KIND, form=form, names=NAMES,
        refusals=REFUSALS,
    )  # fmt: skip
    after = {name: result.text(name) for name in before}
    if changed := [name for name in before if before[name] != after[name]]:
        record(
            actor, operations.UPDATE_VENDOR, vendor, Outcome.NOTED, sentence=f"changed the contact of vendor {vendor.name}"[:500],
            before={name: before[name] for name in changed}, after={name: after[name] for name in changed},
            request_id=result.request_id,
        )  # fmt: skip
    return result


def delete_vendor(actor: Actor, vendor: Vendor, *, key: Key, deadline: float | None = None) -> CommandResult:
    """Deletes a vendor: the record stays, and can be restored. Answers with the vendor."""
    return run(actor, operations.DELETE_VENDOR, vendor, key=key, path=_path(vendor), kind=KIND, deadline=deadline)


def propose_account(
    actor: Actor, vendor: Vendor, body: InstructionBody, *, key: Key, form: forms.BaseForm | None = None
) -> CommandResult:
    """Proposes another account, or with `instruction_id` what one in use becomes: it waits for a second person.

    `body` is a `NewInstruction` or an `InstructionChange`. NotAllowed where the service is not known to hold it.
    """
    operation = (
        operations.UPDATE_PAYMENT_INSTRUCTION if "instruction_id" in body else operations.ADD_PAYMENT_INSTRUCTION
    )
    return _propose(actor, operation, vendor, body, _path(vendor), key, form)


def propose_payment_method(
    actor: Actor, vendor: Vendor, body: InstructionBody, *, key: Key, form: forms.BaseForm | None = None
) -> CommandResult:
    """Proposes the account that a bill of the vendor names: it waits for a second person as any other does.

    `body` is a `NewInstruction`. NotAllowed where the service is not known to hold it.
    """
    path = {"vendorId": vendor.remote_id}
    new = {name: value for name, value in body.items() if name != "instruction_id"}
    return _propose(actor, operations.ADD_VENDOR_PAYMENT_METHOD, vendor, new, path, key, form)


def _propose(
    actor: Actor, operation: Operation, vendor: Vendor, body: Mapping[str, Any], path: Mapping[str, str], key: Key,
    form: forms.BaseForm | None,
) -> CommandResult:  # fmt: skip
    result = run(
        actor, operation, proposal_subject(vendor), body, key=key, path=path, kind=KIND, form=form, refusals=REFUSALS
    )
    sentence = f"{actor.name} proposes an account of {vendor.name}. It is waiting for you or another second person."
    with transaction.atomic():
        notify(
            others_who_could_confirm(actor), PAYEES, sentence, key=f"payee:{vendor.remote_id}:{result.request_id}",
            kind=KIND, remote_id=vendor.remote_id,
        )  # fmt: skip
    return result


def others_who_could_confirm(actor: Actor) -> list[Membership]:
    """The members who could confirm an account that the actor proposes: of the role, linked to another employee."""
    roles = operations_payables.CONFIRM_PAYMENT_INSTRUCTION.roles
    members = Membership.objects.filter(business=actor.business, is_active=True, role__in=roles, user__is_active=True)
    others = members.exclude(pk=actor.member_id).exclude(employee_id="").exclude(employee_id=actor.employee_id)
    return list(others.select_related("user"))


def confirm_account(
    actor: Actor, payee_account: KnownPayeeAccount, confirmation: AccountConfirmation, *, key: Key,
    form: forms.BaseForm | None = None,
) -> CommandResult:  # fmt: skip
    """The second person's yes: the account is in use from now on. The `confirmation` says whom they called back, without which
    the service confirms nothing before the cool-off is over.

    NotAllowed for whoever proposed it.
    """
    return _decide(actor, operations_payables.CONFIRM_PAYMENT_INSTRUCTION, payee_account, confirmation, key, form)


def reject_account(
    actor: Actor, payee_account: KnownPayeeAccount, reason: str, *, key: Key, form: forms.BaseForm | None = None
) -> CommandResult:
    """The second person's no: what was in use stays. NotAllowed for whoever proposed it."""
    return _decide(actor, operations_payables.REJECT_PAYMENT_INSTRUCTION, payee_account, {"reason": reason}, key, form)


def _decide(
    actor: Actor, operation: Operation, payee_account: KnownPayeeAccount, body: Mapping[str, Any], key: Key,
    form: forms.BaseForm | None,
) -> CommandResult:  # fmt: skip
    reason = str(body["reason"])
    path = {"id": payee_account.vendor.remote_id, "instructionId": payee_account.id}
    result = run(actor, operation, payee_account, body, key=key, path=path, kind=KIND, form=form, refusals=REFUSALS)
    is_confirmed = operation is operations_payables.CONFIRM_PAYMENT_INSTRUCTION
    name, did = payee_account.vendor.name, "confirmed" if is_confirmed else "rejected"
    with transaction.atomic():
        record(
            actor, operation, payee_account, Outcome.NOTED, reason=reason, request_id=result.request_id,
            sentence=f"noted why account …{payee_account.last} of vendor {name} was {did}"[:500],
        )  # fmt: skip
        if proposer := proposer_of(payee_account):
            sentence = f"{actor.name} {did} the account …{payee_account.last} of {name} that you proposed: {reason}"
            notify(
                [proposer],
                PAYEES,
                sentence,
                key=f"payee:{payee_account.id}:{did}",
                kind=KIND,
                remote_id=payee_account.vendor.remote_id,
            )
    return result


def proposer_of(payee_account: KnownPayeeAccount) -> Membership | None:
    """The member who proposed the account; None where it was no member of the business here."""
    if not payee_account.proposer_id:
        return None
    members = Membership.objects.filter(business=payee_account.vendor.business, is_active=True)
    return members.select_related("user").filter(employee_id=payee_account.proposer_id).first()


def _path(vendor: Vendor) -> dict[str, str]:
    return {"id": vendor.remote_id}
