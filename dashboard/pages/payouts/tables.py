"""The list of payouts, the newest first."""

from dashboard import operations, times
from dashboard.lists.columns import Column, List
from dashboard.lists.expressions import amount, day, label, plain
from dashboard.lists.filters import Choice, Currency
from dashboard.lists.registry import register
from dashboard.lists.states import words
from dashboard.mirror.scopes import visible_payouts

STATES = {
    "DRAFT": ("Draft", ""),
    "PENDING_APPROVAL": ("Awaiting approval", "info"),
    "AWAITING_CODE": ("Awaiting code", "warn"),
    "APPROVED": ("Approved", "info"),
    "ON_HOLD": ("On hold", "warn"),
    "PROCESSING": ("Being paid", "info"),
    "COMPLETED": ("Paid", "ok"),
    "PARTIALLY_COMPLETED": ("Partly paid", "warn"),
    "FAILED": ("Failed", "bad"),
    "REJECTED": ("Rejected", "bad"),
    "CANCELLED": ("Cancelled", ""),
}
KINDS = {"BULK_PAYOUT": "Batch", "BANK_TRANSFER": "Single payment"}


def kind_text(code: str) -> str:
    """What a kind of payout is called; its code where that is not known."""
    return KINDS.get(code, code)


PAYOUTS = register(
    List(
        name="payouts",
        title="Payouts",
        noun=("payout", "payouts"),
        icon="send",
        opens=operations.LIST_PAYOUTS,
        rows=visible_payouts,
        address="payouts",
        item="payouts_item",
        sort="-created",
        money=("currency", "amount_minor"),
        search="search",
        search_hint="Name, number or amount",
        empty="Payouts appear here as soon as somebody makes one.",
        filters=(
            Choice("status", "Status", "status", of=tuple(words(STATES).items())),
            Choice("kind", "Kind", "payload__kind", of=tuple(KINDS.items())),
            Currency("currency", "Currency", "currency"),
        ),
        columns=(
            Column("name", "Name", "title", exported=plain("title"), always=True),
            Column("number", "Number", "ref", "figure", exported=plain("ref"), less=True),
            Column("payments", "Payments", "payee", exported=plain("payee"), less=True),
            Column(
                "created", "Created", "requested_at", "figure", exported=day("requested_at"), sort="requested_at",
                render=lambda row, actor: times.day(row["requested_at"], actor.business),
            ),
            Column("state", "Status", "status", "state", states=STATES, exported=label("status", words(STATES))),
            Column(
                "amount", "Amount", "amount_text", "amount", exported=amount("amount_minor", "currency"),
                sort="amount_minor", sorted_as=int, always=True,
            ),
        ),
        file_only=(
            Column("id", "Id", "remote_id"),
            Column("wallet", "Wallet", "org_wallet_ref"),
            Column("currency", "Currency", "currency"),
        ),
    )
)  # fmt: skip
