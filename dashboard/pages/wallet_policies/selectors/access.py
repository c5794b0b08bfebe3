"""Whose access to which wallet: the people, wallets and policies that the actor may look at, and what is read live."""

from contextlib import suppress
from datetime import datetime

from django.db.models import QuerySet
from django.http import Http404
from django.shortcuts import get_object_or_404

from dashboard import operations
from dashboard.access.actor import Actor
from dashboard.client.page import parsed, read_page, typed
from dashboard.client.reads import read_live
from dashboard.errors import FinanceError
from dashboard.impact.wallet_rights import Rules, open_policies
from dashboard.mirror.models import COPYING, Employee, Wallet, WalletPolicy
from dashboard.mirror.scopes import visible_holders, visible_policies, visible_wallets
from dashboard.mirror.wallet_rights import apply_permissions
from dashboard.schemas.wallet_policies import AuditLine, Computed

READ_S = 1.5


def holder_for(actor: Actor, employee_id: str) -> Employee:
    """A person whose policies the actor may look at; else Http404."""
    person: Employee = get_object_or_404(visible_holders(actor), remote_id=employee_id)
    return person


def policy_for(actor: Actor, policy_id: str) -> WalletPolicy:
    """A policy that the actor may look at, which may be over; else Http404."""
    policy: WalletPolicy = get_object_or_404(visible_policies(actor), remote_id=policy_id)
    return policy


def policy_between(actor: Actor, employee_id: str, wallet_id: str) -> WalletPolicy | None:
    """The person's policy on the wallet that can still be changed; None where there is none."""
    return open_policies(actor).filter(employee_id=employee_id, wallet_id=wallet_id).first()


def wallet_for(actor: Actor, wallet_id: str) -> Wallet:
    """A wallet that the actor sees; else Http404."""
    wallet: Wallet = get_object_or_404(visible_wallets(actor), remote_id=wallet_id)
    return wallet


def wallet_of_person(actor: Actor, wallet_id: str, person: Employee) -> Wallet:
    """A wallet that the actor sees, or on which this person has a policy; else Http404."""
    with suppress(Http404):
        return wallet_for(actor, wallet_id)
    policy = get_object_or_404(visible_policies(actor), employee_id=person.remote_id, wallet_id=wallet_id)
    return wallet_of_policy(policy)


def wallet_of_policy(policy: WalletPolicy) -> Wallet:
    """A wallet, not saved, as its policy describes it to somebody who may use it and not look at it."""
    ref = str(policy.payload.get("org_wallet_ref") or "")
    return Wallet(
        business_id=policy.business_id, remote_id=policy.wallet_id, org_wallet_ref=ref, currency=policy.currency,
        status="ACTIVE",
    )  # fmt: skip


def usable_wallets_of(actor: Actor) -> list[Wallet]:
    """The wallets that the actor sees and that can still be used: by currency, then by name."""
    return list(usable_wallets(actor).defer("payload", *COPYING))


def usable_wallets(actor: Actor) -> QuerySet[Wallet]:
    """The query of them, with all that the copy has of each."""
    return visible_wallets(actor).exclude(status="CLOSED").order_by("currency", "name", "remote_id")


def refresh_permissions(actor: Actor) -> None:
    """Writes the permissions through to the copy as the service has them now; raises FinanceError."""
    answer = read_live(actor, operations.LIST_WALLET_PERMISSIONS, deadline=READ_S)
    apply_permissions(actor.business, answer.data)


def permission_choices(actor: Actor) -> list[tuple[str, str]]:
    """The permissions as (name, title), as the service has them now; as they were last read where it does not answer."""
    # Without an answer the copy is as good: a permission that is no more is refused when it is sent.
    with suppress(FinanceError):
        refresh_permissions(actor)
    return list(Rules.of(actor.business).titles.items())


def computed_permissions(actor: Actor, person: Employee, wallet: Wallet) -> tuple[Computed, datetime]:
    """What the service computes that the person may do with the wallet, and when; raises the FinanceError
    tree."""
    path = {"employeeId": person.remote_id, "walletId": wallet.remote_id}
    operation = operations.READ_EFFECTIVE_WALLET_PERMISSIONS
    answer = read_live(actor, operation, path=path, subject=person, deadline=READ_S)
    return parsed(answer.data, Computed), answer.as_of


def history_of(actor: Actor, policy: WalletPolicy) -> list[AuditLine]:
    """The changes of a policy as the service recorded them, the oldest first, a hundred at most; raises FinanceError."""
    answer = read_live(
        actor, operations.LIST_WALLET_POLICY_AUDIT, path={"policyId": policy.remote_id}, subject=policy,
        query={"limit": 100}, deadline=READ_S,
    )  # fmt: skip
    return sorted(typed(read_page(answer.data).rows, AuditLine), key=lambda line: line.at)
