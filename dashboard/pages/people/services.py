"""What the people's pages change: an invitation to this dashboard for somebody who was just added, and their card; money
for many people at once."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import Any

from django.contrib import messages

from dashboard import operations
from dashboard.access.actor import Actor
from dashboard.access.roles import Role
from dashboard.bulk.actions import RowState, RowVerdict, Seen
from dashboard.bulk.balances import WalletAfter
from dashboard.commands import cards
from dashboard.commands.allocations import send_funds
from dashboard.commands.run import CommandResult, FormKey
from dashboard.errors import FinanceError, NotFound
from dashboard.lists.actions import Action
from dashboard.lists.bulk import ListAction
from dashboard.lists.columns import List
from dashboard.mirror.models import Wallet
from dashboard.mirror.scopes import visible_wallets
from dashboard.money import Money
from dashboard.onboarding.services import CARD_NAME
from dashboard.proposals.invitations import InvitationNotSentError, invite_member
from dashboard.schemas.card_bodies import CreateCardBody
from dashboard.schemas.employees import FundsTerms, NewPersonBody


@dataclass(frozen=True, slots=True)
class Invited:
    """What became of an invitation: a level of django.contrib.messages, and a sentence."""

    level: int
    message: str


def invite_employee(actor: Actor, body: NewPersonBody, employee_id: str, *, key: str) -> Invited:
    """Invites an employee to this dashboard with the role that they got; where two are asked for, it is proposed.

    The employee is there already: so a refusal is told, and not raised.
    """
    email = body["organization_email"]
    try:
        proposal = invite_member(
            actor, email=email, name=body["name"], role=Role(body["role"]), employee_id=employee_id, key=key
        )
    except InvitationNotSentError as unsent:
        return Invited(messages.WARNING, unsent.explanation)
    except (ValueError, FinanceError) as refusal:
        return Invited(messages.WARNING, f"They were not invited to this dashboard: {refusal}")
    if proposal is not None:
        return Invited(messages.INFO, "The invitation to this dashboard is waiting for a second super admin.")
    return Invited(messages.SUCCESS, f"{email} is invited: the link was sent by email.")


def issue_card(
    actor: Actor, employee_id: str, name: str, wallet: Wallet, limit_minor: int, *, key: FormKey
) -> Invited:  # fmt: skip
    """Issues a virtual card with a monthly limit, in minor units of the wallet's currency, to somebody who was just added.

    The employee is there already: so a refusal is told, and not raised.
    """
    body: CreateCardBody = {
        "employee_id": employee_id, "name": CARD_NAME, "org_wallet_ref": wallet.org_wallet_ref, "type": "VIRTUAL",
        "funding": None, "controls": {"limits": [{"interval": "PER_MONTH", "amount": limit_minor}]},
    }  # fmt: skip
    try:
        cards.create_card(actor, body, holder_name=name, key=key)
    except FinanceError as refusal:
        return Invited(messages.WARNING, f"Their card: {refusal.explanation}")
    limit = Money(limit_minor, wallet.currency).text(actor.business.locale)
    return Invited(messages.SUCCESS, f"A virtual card was issued: {limit} a month.")


@dataclass(frozen=True, slots=True)
class FundsShare:
    """What each of many people gets, or gives back: an amount, the wallet of the business on the other side, and a note."""

    amount: Money
    org_wallet_ref: str
    note: str = ""

    def stored(self) -> str:
        """As the batch of a bulk action stores it."""
        minor, currency = self.amount.minor, self.amount.currency
        return json.dumps({"minor": minor, "currency": currency, "wallet": self.org_wallet_ref, "note": self.note})

    @classmethod
    def read(cls, given: str) -> FundsShare | None:
        """What a batch has stored; None where nothing was chosen yet."""
        if not given:
            return None
        chosen = json.loads(given)
        return cls(Money(chosen["minor"], chosen["currency"]), chosen["wallet"], chosen["note"])


class MoveFunds(ListAction):
    """The same amount for each of many people: allocated from a wallet of the business, or taken back into it.

    Until amount and wallet are chosen (views/funds.py) nobody's passes: nothing is sent that nobody has named.
    """

    def __init__(self, of: List, action: Action, share: FundsShare | None = None) -> None:
        super().__init__(of, action)
        self.share = share
        self.given = share.stored() if share else ""

    @property
    def given_text(self) -> str:
        """What each of them gets or gives back, in words; "" before it is chosen."""
        return f"{self.share.amount.text()} each" if self.share else ""

    def with_given(self, given: str) -> MoveFunds:
        """The same with what its batch has stored."""
        return MoveFunds(self.of, self.action, FundsShare.read(given))

    def verdicts(self, actor: Actor, items: Sequence[Any], seen: Mapping[str, Seen]) -> list[RowVerdict]:
        """What the plan says of each person."""
        verdicts = super().verdicts(actor, items, seen)
        if self.share is not None:
            return verdicts
        missing = RowVerdict(RowState.LEFT_OUT, "without an amount", "Choose the amount and the wallet first.")
        return [missing if verdict.passes else verdict for verdict in verdicts]

    def amount_of(self, item: Any) -> Money | None:
        """What this person gets or gives back; None before it is chosen."""
        return self.share.amount if self.share else None

    def amount_text(self, actor: Actor, item: Any) -> str:
        """The same as a row prints it."""
        return self.share.amount.text(actor.business.locale) if self.share else ""

    def balances(self, actor: Actor, items: Sequence[Any]) -> list[WalletAfter]:
        """What the wallet of the business holds afterwards."""
        if self.share is None or not items:
            return []
        wallet = _wallet_of(actor, self.share)
        minor = self.share.amount.minor * len(items)
        leaves = self.operation is operations.ALLOCATE_FUNDS
        moved = Money(-minor if leaves else minor, wallet.currency)
        name = wallet.name or wallet.org_wallet_ref
        return [WalletAfter.moving(name, wallet.org_wallet_ref, moved, wallet.available_minor)]

    def carry_out(
        self, actor: Actor, item: Any, given: str, *, key: str, deadline: float, seen: Seen = ""
    ) -> CommandResult:
        """Moves the money of one person; raises what `commands.run` raises."""
        if self.share is None:
            raise NotFound("No amount was chosen.")
        amount: Decimal = self.share.amount.amount
        body: FundsTerms = {
            "amount": amount, "currency": self.share.amount.currency, "org_wallet_ref": self.share.org_wallet_ref,
            "note": self.share.note or None,
        }  # fmt: skip
        return send_funds(actor, self.operation, item, body, key=key, deadline=deadline)


def _wallet_of(actor: Actor, share: FundsShare) -> Wallet:
    wallet: Wallet | None = visible_wallets(actor).filter(org_wallet_ref=share.org_wallet_ref).first()
    if wallet is None:
        raise NotFound("The wallet no longer exists.", code="not_found")
    return wallet
