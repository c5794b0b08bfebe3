"""What bank and books lack of each other in a month, by wallet: entries that no line belongs to, and the statement that proves
the month, or does not."""

from collections.abc import Sequence
from typing import TypedDict

from service.accounting.held_lines import in_order
from service.accounting.models import BankStatement
from service.accounting.periods import Month, month
from service.accounting.proofs import proof_of
from service.accounting.reconciliation import unmatched_counts
from service.accounts.wallets import Wallet
from service.auth import Caller


class PeriodWalletShape(TypedDict):
    """A wallet in a month: the entries of it that no bank line belongs to, and the last statement of it, None where there is
    none; `proven` only where its proof holds, and that of the statement which goes on beyond the month where the last one ends
    before it does: `statement_id` is then the one that is not proven."""

    org_wallet_ref: str
    unmatched_entries: int
    statement_id: str | None
    proven: bool


def period_wallets(caller: Caller, name: str) -> list[PeriodWalletShape]:
    """The wallets that a statement was imported for up to the month's last day, by their reference; 404 for what is no month. Of a
    wallet without a statement nothing is known: it is not among them."""
    chosen = month(name)
    begun = BankStatement.objects.filter(business_id=caller.business.id, first_day__lte=chosen.last)
    owners = list(Wallet.objects.filter(id__in=begun.values("wallet")).order_by("org_wallet_ref"))
    counts = unmatched_counts(owners, chosen.first, chosen.last)
    return [_in_month(owner, chosen, counts.get(owner.ledger_account_id, 0)) for owner in owners]


def _in_month(owner: Wallet, chosen_month: Month, entry_count: int) -> PeriodWalletShape:
    ordered = in_order(owner)
    statements = _proving(owner, ordered, chosen_month)
    unproven = next(
        (row for row in statements if row.closing_minor is None or not proof_of(row, ordered).is_proven), None
    )
    named = unproven or (statements[-1] if statements else None)
    return {
        "org_wallet_ref": owner.org_wallet_ref,
        "unmatched_entries": entry_count,
        "statement_id": named.id if named else None,
        "proven": bool(statements) and unproven is None,
    }


def _proving(owner: Wallet, ordered: Sequence[BankStatement], chosen_month: Month) -> list[BankStatement]:
    """The last of the statements that end in the month, and where days of the month are left behind it, the first that goes on
    beyond; one without balances, which proves nothing, only where none has any."""
    with_balances = [
        row for row in ordered if row.last_day >= chosen_month.first and row.first_day <= chosen_month.last
    ]
    ending = [row for row in with_balances if row.last_day <= chosen_month.last][-1:]
    if with_balances:
        goes_on = not ending or ending[0].last_day < chosen_month.last
        beyond = [row for row in with_balances if row.last_day > chosen_month.last][:1] if goes_on else []
        return ending + beyond
    rows = BankStatement.objects.filter(
        wallet=owner, last_day__gte=chosen_month.first, first_day__lte=chosen_month.last
    )
    return list(rows.order_by("-last_day", "-created_at")[:1])
