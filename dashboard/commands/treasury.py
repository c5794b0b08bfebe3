"""Wallets: opening, suspending and activating one, and moving money between two.

Raises what `run` raises. Interface: Accounts (POST and PUT /accounts…) and FX (POST /fx/transfer), decisions F.6.
"""

from collections.abc import Mapping
from typing import Any

from django import forms
from pydantic import ValidationError

from dashboard import operations
from dashboard.access.actor import Actor
from dashboard.access.operation import Operation
from dashboard.commands.run import CommandResult, Key, run
from dashboard.mirror.models import Wallet
from dashboard.schemas.accounts import OpenWalletBody, TransferTerms
from dashboard.schemas.fx import Transfer

NAMES = {"walletType": "wallet_type"}


def open_wallet(actor: Actor, body: OpenWalletBody, *, key: Key, form: forms.BaseForm | None = None) -> CommandResult:
    """Opens a wallet, and its currency where the business has none of it yet. Answers with the wallet.

    `body` has `currency`, `walletType` ("SUB:payroll" for one purpose) and perhaps `name`.
    """
    return run(actor, operations.OPEN_WALLET, None, body, key=key, kind="wallet", form=form, names=NAMES)


def open_wallet_in_currency(
    actor: Actor, body: OpenWalletBody, *, key: Key, form: forms.BaseForm | None = None
) -> CommandResult:
    """Opens a wallet in a currency that the business has; Rejected where it has none of it. Otherwise as `open_wallet`."""
    return run(actor, operations.CREATE_ACCOUNT, None, body, key=key, kind="wallet", form=form, names=NAMES)


def add_currency(actor: Actor, code: str, *, key: Key, form: forms.BaseForm | None = None) -> CommandResult:
    """Adds a currency (ISO 4217) to the business, in which wallets can be opened then. Answers with the currency."""
    return run(actor, operations.CREATE_CURRENCY, None, {"currency": code}, key=key, form=form)


def suspend_wallet(actor: Actor, wallet: Wallet, *, key: Key) -> CommandResult:
    """Suspends a wallet: no money leaves it any more, money may still come in. Answers with the wallet."""
    return _change(actor, operations.SUSPEND_ACCOUNT, wallet, key)


def activate_wallet(actor: Actor, wallet: Wallet, *, key: Key) -> CommandResult:
    """Activates a suspended wallet: money may leave it again. Answers with the wallet."""
    return _change(actor, operations.ACTIVATE_ACCOUNT, wallet, key)


def rename_wallet(
    actor: Actor, wallet: Wallet, name: str, *, key: Key, form: forms.BaseForm | None = None
) -> CommandResult:
    """Gives a wallet another name. Answers with the wallet."""
    return _change(actor, operations.UPDATE_ACCOUNT, wallet, key, {"name": name}, form)


def close_wallet(actor: Actor, wallet: Wallet, *, key: Key) -> CommandResult:
    """Closes a wallet for good; Conflict while it holds money, or a card is charged to it. Answers with the wallet."""
    return _change(actor, operations.UPDATE_ACCOUNT, wallet, key, {"status": "CLOSED"})


def _change(
    actor: Actor, operation: Operation, wallet: Wallet, key: Key, body: Mapping[str, Any] | None = None,
    form: forms.BaseForm | None = None,
) -> CommandResult:  # fmt: skip
    return run(actor, operation, wallet, body, key=key, path={"id": wallet.remote_id}, kind="wallet", form=form)


def transfer(
    actor: Actor, source_wallet: Wallet, target_wallet: Wallet, body: TransferTerms, *, key: Key
) -> Transfer | None:
    """Exchanges by a quote (`quote_id`), or moves an `amount` between wallets of one currency; perhaps with a `note`.

    EntitlementMissing where the business's account may not, Conflict with the code quote_expired or duplicate where the
    quote cannot be used any more. None where the service accepted it in words that cannot be read.
    """
    wallets = {"from_org_wallet_ref": source_wallet.org_wallet_ref, "to_org_wallet_ref": target_wallet.org_wallet_ref}
    result = run(actor, operations.TRANSFER_FX, source_wallet, {**body, **wallets}, key=key)
    try:
        return Transfer.model_validate(result.data)
    except ValidationError:
        return None
