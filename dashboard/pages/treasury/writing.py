"""An ordinary change of a wallet: sent with its form's key, told beside the fields, written through to the copy."""

from typing import Any

from django import forms

from dashboard import operations
from dashboard.access.actor import ActorRequest
from dashboard.access.operation import Operation
from dashboard.client.gateway import send
from dashboard.errors import Conflict, Rejected
from dashboard.mirror.apply import upsert
from dashboard.mirror.models import Source, Wallet
from dashboard.web.submission import add_refusal, key_of

FIELDS = {"walletType": "wallet_type"}


def change_wallet(request: ActorRequest, operation: Operation, wallet: Wallet) -> dict[str, Any]:
    """Suspends or activates it, and answers with what the service has now."""
    path = {"id": wallet.remote_id}
    key = key_of(request, operation)
    answer = send(request.actor, operation, path=path, subject=wallet, key=key)
    return _kept(request, answer.data)


def make_wallet(request: ActorRequest, form: forms.Form, body: dict[str, Any]) -> dict[str, Any] | None:
    """Opens it; None where the service refused, which then stands in the form."""
    operation = operations.OPEN_WALLET
    try:
        answer = send(request.actor, operation, body=body, key=key_of(request, operation))
    except (Rejected, Conflict) as refused:
        add_refusal(form, refused)
        return None
    return _kept(request, answer.data)


def _kept(request: ActorRequest, data: Any) -> dict[str, Any]:
    upsert("wallet", request.actor.business, [data], Source.WRITE)
    made: dict[str, Any] = data
    return made
