"""One change at the service from its check to its answer: what every command of this floor stands on.

The gate and the call are the gateway's (a denial is audited there, and nothing is sent); here the key is made, the answer
is written through to the copy, and what is refused stands beside the fields of the form that asked.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, TypeAlias

from django import forms

from dashboard import operations, operations_extra
from dashboard.access.actor import Actor
from dashboard.access.operation import Operation
from dashboard.client.gateway import send
from dashboard.client.multipart import Upload
from dashboard.errors import FAILED, FinanceError
from dashboard.mirror.apply import upsert
from dashboard.mirror.models import Origin
from dashboard.replica import note_write

# Operations whose keys begin otherwise than with their name: a form that was sent under such a key is found by it again.
KEY_PREFIXES = {
    operations.START_RECEIPTS_EXPORT.name: "receipts",
    operations.SYNC_WALLET_PERMISSIONS.name: "sync",
    operations_extra.CREATE_EXPENSE_TAG.name: "new-tag",
    operations_extra.TAG_EXPENSE.name: "tags",
}


@dataclass(frozen=True)
class FormKey:
    """The key that a form was created with: each operation of the form is sent under one of its own (decisions B.2)."""

    value: str

    def of(self, operation: Operation) -> str:
        """The idempotency key of the operation: "block_card-" and the form's key."""
        return f"{KEY_PREFIXES.get(operation.name, operation.name)}-{self.value}"


# The key of a form, or a whole idempotency key: a worker sends every row under a key that it has stored before.
Key: TypeAlias = FormKey | str


@dataclass(frozen=True)
class CommandResult:
    """What the service answered to a change: `data` is its JSON, in most cases the resource as it is now."""

    data: Any
    request_id: str

    @property
    def id(self) -> str:
        """The `_id` of the resource in the answer; KeyError where it has none."""
        return str(self.data["_id"])

    def text(self, name: str) -> str:
        """A field of the resource as text; "" where it is absent or empty."""
        return str(self.data.get(name) or "")


def run(
    actor: Actor,
    operation: Operation,
    subject: object | None = None,
    body: Mapping[str, Any] | None = None,
    *,
    key: Key | None,
    path: Mapping[str, str] | None = None,
    query: Mapping[str, str | int] | None = None,
    upload: Upload | None = None,
    kind: str = "",
    form: forms.BaseForm | None = None,
    names: Mapping[str, str] | None = None,
    refusals: tuple[type[FinanceError], ...] = FAILED,
    if_match: int | None = None,
    deadline: float | None = None,
) -> CommandResult:
    """Checks that the actor may do it to the subject, sends it, and brings the answer into the copy as a `kind`.

    `body` is what the operation sends (its `request`), `upload` a file in its place, `path` and `query` what stands in
    its address, `key` None for what may be done twice without harm, `if_match` the version that is replaced, `deadline`
    seconds. Without a `kind` the copy holds no such resource. Raises the FinanceError tree as `gateway.send` does: NotAllowed and NotFound before anything is sent,
    audited as a denial. What is one of the `refusals` is put onto the `form` before it is raised; `names` are the form's
    fields that the service calls otherwise. TypeError for a read, and for a decision, which waits in its outbox. Never
    call this inside a transaction.
    """
    if operation.is_read or operation.is_decision:
        raise TypeError(
            f"{operation} is no command: a read goes through client/reads.py, a decision through decisions/"
        )
    idempotency_key = key.of(operation) if isinstance(key, FormKey) else key
    try:
        answer = send(
            actor, operation, path=path, query=query, body=body, upload=upload, subject=subject, key=idempotency_key,
            if_match=if_match, deadline=deadline,
        )  # fmt: skip
    except refusals as refused:
        if form is not None:
            add_refusal(form, refused, names)
        raise
    if kind:
        write_through(actor, kind, answer.data)
    return CommandResult(answer.data, answer.request_id)


def write_through(actor: Actor, kind: str, resource: Mapping[str, Any]) -> None:
    """Brings a resource, as a change was answered with it, into the copy: its page shows it before any event comes."""
    upsert(kind, actor.business, [dict(resource)], Origin.WRITE)
    note_write(actor.user.pk if actor.user else None)


def add_refusal(form: forms.BaseForm, refused: FinanceError, names: Mapping[str, str] | None = None) -> None:
    """Puts a refusal onto the form: beside its fields, or above the form in the service's words with the request id.

    `names` are the form's fields by what the service calls them, where that differs.
    """
    for problem in refused.fields:
        service_name = problem.field.removeprefix("body.").split(".")[-1]
        name = (names or {}).get(service_name, service_name)
        form.add_error(name if name in form.fields else None, problem.message)
    if not refused.fields:
        form.add_error(None, refused.on_form)
