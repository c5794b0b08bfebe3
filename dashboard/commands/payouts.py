"""Payouts: making one, initiating it, taking it back, confirming it by a one-time code; and asking a phone for money.

Raises what `run` raises; what the service refuses, NotFound too, stands on the form. Interface: Payments
(POST and PATCH /payments…), decisions B.8.
"""

from django import forms
from pydantic import ValidationError

from dashboard import operations
from dashboard.access.actor import Actor
from dashboard.commands.run import CommandResult, Key, run
from dashboard.errors import FAILED, NotFound
from dashboard.mirror.models import ApprovalRequest
from dashboard.schemas.payments import BatchBody, CollectionBody, Intent, PaymentBody

KIND = "payout"
REFUSALS = (*FAILED, NotFound)
NAMES = {"org_wallet_ref": "wallet"}


def create_payout(actor: Actor, body: BatchBody, *, key: Key, form: forms.BaseForm | None = None) -> CommandResult:
    """Makes a draft: `body` has `items` or the payout whose payments it copies. Answers with it."""
    return run(
        actor, operations.CREATE_PAYOUT, None, body, key=key, kind=KIND, form=form, names=NAMES, refusals=REFUSALS
    )


def initiate_payout(actor: Actor, payout: ApprovalRequest, *, key: Key) -> CommandResult:
    """Asks for the votes that the mandate wants; where none is wanted, it is paid from now on. Answers with the payout."""
    return run(actor, operations.INITIATE_PAYOUT, payout, key=key, path={"batch_no": payout.ref}, kind=KIND)


def return_to_draft(actor: Actor, payout: ApprovalRequest, *, key: Key) -> CommandResult:
    """Takes it back before anything of it is sent: votes and codes are void. Answers with the payout."""
    return run(actor, operations.RETURN_PAYOUT_TO_DRAFT, payout, key=key, path={"batch_no": payout.ref}, kind=KIND)


def cancel_payout(
    actor: Actor, payout: ApprovalRequest, reason: str, *, key: Key, form: forms.BaseForm | None = None,
    only_draft: bool = False,
) -> CommandResult:  # fmt: skip
    """Ends it for good before anything of it is sent; of `only_draft` Conflict (code not_draft) for one that the service has
    as no draft any more. Answers with the payout."""
    body = {"batch_no": payout.ref, "reason": reason or None}
    return run(
        actor, operations.CANCEL_PAYOUT, payout, body, key=key, kind=KIND, form=form, refusals=REFUSALS,
        query={"only_draft": "true"} if only_draft else None,
    )  # fmt: skip


def send_code(actor: Actor, payout: ApprovalRequest, channel: str, *, key: Key) -> Intent | None:
    """Has a one-time code sent ("SMS" or "EMAIL") for a payout that waits for one; codes that were sent before are void.

    None where the service accepted it in words that cannot be read.
    """
    body = {"batch_no": payout.ref, "channel": channel}
    return _intent(run(actor, operations.CREATE_PAYMENT_INTENT, payout, body, key=key))


def pay_single(
    actor: Actor,
    payment_body: PaymentBody,
    wallet: str,
    code_channel: str,
    *,
    key: Key,
    form: forms.BaseForm | None = None,
) -> Intent | None:
    """Makes and initiates a single transfer from the wallet of that reference; its one-time code goes by `code_channel`
    ("SMS" or "EMAIL"). None as `send_code`."""
    body = {"payment": {**payment_body, "org_wallet_ref": wallet}, "channel": code_channel}
    result = run(
        actor, operations.CREATE_PAYMENT_INTENT, None, body, key=key, form=form, names=NAMES, refusals=REFUSALS
    )
    return _intent(result)


def confirm_code(
    actor: Actor, payout: ApprovalRequest, intent_id: str, code: str, *, key: Key, form: forms.BaseForm | None = None
) -> CommandResult:
    """Pays what the one-time code of the intent was sent for. Answers with the intent."""
    names, body = {"otp": "code"}, {"intent_id": intent_id, "otp": code}
    return run(actor, operations.CONFIRM_PAYMENT, payout, body, key=key, form=form, names=names, refusals=REFUSALS)


def request_mobile_money(
    actor: Actor, body: CollectionBody, *, key: Key, form: forms.BaseForm | None = None
) -> CommandResult:
    """Makes a phone ask its owner for money. Answers with the push, which is only on its way."""
    return run(actor, operations.REQUEST_MOBILE_MONEY, None, body, key=key, form=form, names=NAMES, refusals=REFUSALS)


def _intent(command_result: CommandResult) -> Intent | None:
    try:
        return Intent.model_validate(command_result.data)
    except ValidationError:
        return None
