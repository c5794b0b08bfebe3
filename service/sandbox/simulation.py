"""What can be made to happen in a sandbox business: swipes, expenses with receipts, top-ups, settlements, changes.

Everything goes through the same actions as in real life; only the outside world (card network, bank, HR) is played.
"""

import random
from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime, timedelta
from decimal import Decimal

from django.db import transaction
from django.utils import timezone

from service import effects, errors, money, storage
from service.accounts import serializers
from service.accounts.wallets import Funding, usable_wallet, wallet_by_ref
from service.auth import Caller, system_caller
from service.businesses.models import Business, Client, Employee, Role
from service.caller import Effect
from service.cards import services as cards
from service.cards.authorizations import Swipe, authorize, settle, waiting
from service.cards.models import Authorization, Card, CardStatus
from service.categories.models import Subcategory
from service.documents import checked_bytes
from service.employees import serializers as employees_serializers
from service.events.audit import record_audit
from service.events.outbox import record_event
from service.expenses import new_expense, posting, receipts
from service.expenses.models import Expense, Receipt
from service.idempotency import content_digest
from service.ids import object_id
from service.journal import services as journal
from service.ledger.chart import system_account
from service.ledger.models import LedgerTransaction
from service.ledger.post import Leg, post
from service.money import to_number
from service.oauth import revoke_tokens
from service.payments.tasks import sweep
from service.sandbox import pictures

# Name, merchant category code, a typical amount in minor units of a currency with two decimals.
MERCHANTS = (
    ("Shell Westlands", "5541", 4_500_00),
    ("Naivas Supermarket", "5411", 3_200_00),
    ("Java House", "5812", 1_850_00),
    ("Uber Kenya", "4121", 950_00),
    ("Safaricom Shop", "4814", 2_500_00),
    ("Text Book Centre", "5942", 1_400_00),
    ("Sarova Stanley", "7011", 18_500_00),
    ("Kenya Airways", "4511", 32_000_00),
)


def business(business_id: str) -> Business:
    """The business; 404 without it."""
    row = Business.objects.filter(id=business_id).first()
    if row is None:
        raise errors.not_found("business")
    return row


def keyed_caller(business: Business, what: str, key: str, body: bytes) -> Caller:
    """Whoever plays something in a business under an idempotency key ("" for none): what it posts is named by the key, and a
    repeat finds it however late it comes."""
    caller = system_caller(business)
    if not key:
        return caller
    return replace(caller, effect=Effect.of(["sandbox", business.id, what, key], content_digest(body)))


def _posted(caller: Caller, what: str) -> LedgerTransaction | None:
    # What was posted before under the same key.
    rows = LedgerTransaction.objects.filter(business_id=caller.business.id)
    return effects.earlier(caller, rows, field="external_ref", before=f"{what}:")


def employee(business: Business, employee_id: str) -> Employee:
    """A person of the business; 404 otherwise."""
    person = Employee.objects.filter(business=business, id=employee_id).first()
    if person is None:
        raise errors.not_found("employee")
    return person


def minor_of(amount: Decimal, currency: str) -> int:
    """Minor units of an amount from a body; 422 when it is none."""
    try:
        return money.to_minor(amount, currency)
    except money.MoneyError as refusal:
        raise errors.validation_failed("amount", str(refusal)) from None


# What a sandbox's own cards may take in a year: nearly all there can be.
SANDBOX_CONTROLS = {"limits": [{"interval": "PER_YEAR", "amount": money.LARGEST_MINOR}]}


def card_of(caller: Caller, person: Employee, org_wallet_ref: str) -> Card:
    """The person's active card on that wallet, made the first time: it spends the wallet, so that nobody has to
    allocate anything before a swipe is played."""
    existing = Card.objects.filter(employee=person, org_wallet_ref=org_wallet_ref, status=CardStatus.ACTIVE).first()
    if existing:
        return existing
    paying = wallet_by_ref(caller.business, org_wallet_ref)
    card = cards.blank(caller, person, org_wallet_ref, paying.currency, f"{person.name} {paying.currency}")
    card.funding, card.controls = Funding.BUSINESS_WALLET, SANDBOX_CONTROLS
    card.save(force_insert=True)
    return card


def swipe(
    business: Business, card_id: str | None, person: Employee | None, wallet_ref: str, what: Swipe, *, settle_now: bool
) -> Authorization:
    """A card is swiped at a merchant: the person's own card unless one is named."""
    caller = system_caller(business)
    if card_id is None:
        if person is None:
            raise errors.validation_failed("employee_id", "Name a card or an employee.", "missing")
        card_id = card_of(caller, person, wallet_ref).id
    return authorize(caller, card_id, what, settle_now=settle_now)


def settle_all(business: Business) -> list[Authorization]:
    """The merchants take all held money."""
    caller = system_caller(business)
    return [settle(caller, authorization) for authorization in waiting(caller)]


def pay_due() -> int:
    """Works on every payout that is due, as the worker would within seconds; how many there were."""
    worked_on: int = sweep()
    return worked_on


def spend_some(
    business: Business,
    people: Sequence[Employee],
    count: int,
    *,
    wallet_ref: str = "1",
    with_receipts: bool = True,
    seed: int = 1,
    until: datetime | None = None,
    apart: timedelta = timedelta(minutes=7),
    caller: Caller | None = None,
) -> list[Expense]:
    """`count` PENDING expenses by those people in turn, each a little older than the one before, with receipts; those that the
    caller's key has made before."""
    caller = caller or system_caller(business)
    if (done := _posted(caller, "expenses")) is not None:
        return list(
            Expense.objects.filter(business=caller.business, ledger_transaction_id=done.id).order_by(
                "-transaction_date"
            )
        )
    chance = random.Random(seed)  # noqa: S311  repeatable play, no secret
    currency = wallet_by_ref(business, wallet_ref).currency
    subcategories = list(Subcategory.objects.filter(business=business).order_by("id"))
    newest = until or timezone.now()
    batch = []
    for place in range(count):
        merchant, mcc, typical = MERCHANTS[chance.randrange(len(MERCHANTS))]
        minor = max(1, typical * chance.randrange(40, 180) // 100)
        batch.append(
            new_expense.NewExpense(
                employee=people[place % len(people)],
                org_wallet_ref=wallet_ref,
                currency=currency,
                amount_minor=minor // 100 * 10 ** money.exponent(currency) if currency != "KES" else minor,
                transaction_ref=f"SB{object_id()}",
                transaction_date=newest - apart * place,
                receiver=merchant,
                mcc=mcc,
                channel="CARD_PRESENT",
                subcategory=chance.choice(subcategories) if subcategories else None,
                receipt_required=True,
            )
        )

    def prove(expenses: Sequence[Expense]) -> list[Receipt]:
        return [receipt_for(expense, place) for place, expense in enumerate(expenses) if with_receipts]

    return posting.spend_many(caller, batch, effects.new_id(caller), prove)


def receipt_for(expense: Expense, place: int) -> Receipt:
    """A receipt that fits the expense, not saved yet: a PDF each fifth time, else a PNG."""
    amount = f"{expense.currency} {to_number(expense.amount_minor, expense.currency)}"
    lines = pictures.receipt_lines(
        expense.receiver, f"{expense.transaction_date:%d.%m.%Y %H:%M}", amount, expense.transaction_ref[-10:]
    )
    content = pictures.pdf(lines) if place % 5 == 4 else pictures.png(lines)
    return receipts.store(expense, "receipt", content)


def attach_receipt(business: Business, expense_id: str) -> Receipt:
    """The spender photographs the receipt: an expense that details were asked for waits again."""
    expense = Expense.objects.filter(business=business, id=expense_id).first()
    if expense is None:
        raise errors.not_found("expense")
    drawn = receipt_for(expense, 0)
    content = storage.read(drawn.path)
    document = checked_bytes(content, "receipt.png")
    receipt, is_new = receipts.attach(system_caller(business), expense_id, document, path=drawn.path)
    if not is_new:
        storage.discard(drawn.path)
    return receipt


def top_up(
    business: Business, org_wallet_ref: str, amount: Decimal, *, caller: Caller | None = None
) -> serializers.WalletShape:
    """Money arrives from the bank, once under the caller's key; the wallet after it."""
    caller = caller or system_caller(business)
    with transaction.atomic():
        if _posted(caller, "topup") is not None:
            return serializers.wallet(wallet_by_ref(business, org_wallet_ref))
        receiving = usable_wallet(business, org_wallet_ref)
        minor = minor_of(amount, receiving.currency)
        source = system_account(business, "BANK_FLOAT", receiving.currency)
        reference = effects.reference(caller, "topup")
        posted = post(
            business, reference, "TOPUP", [Leg(source.pk, -minor), Leg(receiving.ledger_account_id, minor)], "Top-up"
        )
        fresh = serializers.wallet(wallet_by_ref(business, org_wallet_ref))
        what = {
            "_id": reference,
            "ref": reference,
            "amount": to_number(minor, receiving.currency),
            "currency": receiving.currency,
        }
        journal.record_movement(
            caller,
            type="TOPUP",
            org_wallet_ref=org_wallet_ref,
            currency=receiving.currency,
            amount_minor=minor,
            direction="IN",
            ref=reference,
            ledger_transaction_id=posted.id,
            counterparty="Bank transfer",
            channel="BANK",
        )
        record_event(
            business, "topup.received", {**what, "wallet": fresh, "ledger_transaction_id": posted.id}, actor=caller
        )
    return fresh


def change_employee(
    business: Business, employee_id: str, *, role: str | None, status: str | None, team_id: str | None
) -> Employee:
    """Human resources change somebody's role, status or team; events tell of it."""
    with transaction.atomic():
        person = employee(business, employee_id)
        before = {"role": person.role, "status": person.status, "team_id": person.team_id}
        if role and role != person.role:
            person.role, person.role_changed_at = Role(role), timezone.now()
        if status:
            person.status = Employee.Status(status)
        if team_id:
            person.team = business.teams.filter(id=team_id).first()
        person.version += 1
        person.save()
        kind = "employee.suspended" if status == "SUSPENDED" else "employee.updated"
        record_event(
            business, kind, employees_serializers.employee(person), previous=before, actor=system_caller(business)
        )
        record_audit(system_caller(business), "employee.change", "employee", person.id, before)
    return person


def revoke(business: Business, *, secrets_too: bool) -> int:
    """Kills the tokens of the business's clients, and with `secrets_too` both secrets; how many tokens died."""
    killed = 0
    for client in Client.objects.filter(business=business):
        if secrets_too:
            client.rotate_secret()
            client.rotate_secret()
        killed += revoke_tokens(client)
    return killed
