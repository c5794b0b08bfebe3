"""What the paid items of a payout are in the ledger and in the journal: legs with their notes, and entries."""

from collections.abc import Iterable
from dataclasses import replace

from service.accounts.models import Wallet
from service.auth import Caller
from service.journal import services as journal
from service.ledger.chart import system_account
from service.ledger.post import Leg
from service.payments.models import Batch, Item
from service.rails import catalogue

FEE_NOTE = "Fee: "


def payout_hold_ref(batch: Batch) -> str:
    """The ledger's reference of the hold that a payout is paid from."""
    return f"payout:{batch.batch_no}:{batch.round}"


def posting_ref(batch: Batch, first: Item) -> str:
    """The ledger's reference of the posting that paid `first` and those decided with it."""
    return f"{payout_hold_ref(batch)}:{first.id}"


def entry_note(row: Item) -> str:
    """What the ledger's entries say of a payment, once the rail has given it a reference."""
    return f"{row.receiver_name} {row.provider_ref}"


def payout_legs(caller: Caller, batch: Batch, paid: Iterable[Item]) -> list[Leg]:
    """Per item: out of the wallet into the rail's float (or the other wallet), and its fee into fee income."""
    source = batch.wallet.ledger_account_id
    accounts: dict[str, int] = {}

    def system(kind: str) -> int:
        if kind not in accounts:
            accounts[kind] = system_account(batch.business, kind, batch.currency).pk
        return accounts[kind]

    paid = list(paid)
    inside = _own_wallets(batch, paid)
    legs = []
    for row in paid:
        kind = catalogue.CHANNELS[row.channel].float_kind
        target = system(kind) if kind else inside[row.account].ledger_account_id
        note = entry_note(row)
        legs += [Leg(source, -row.amount_minor, note), Leg(target, row.amount_minor, note)]
        if row.fee_minor:
            note = FEE_NOTE + note
            legs += [Leg(source, -row.fee_minor, note), Leg(system("FEE_INCOME"), row.fee_minor, note)]
    return legs


def journal_entries(batch: Batch, paid: Iterable[Item], transaction_id: int) -> list[journal.Entry]:
    """The payments in the book: spent, or moved to a wallet of our own."""
    paid = list(paid)
    inside = _own_wallets(batch, paid)
    entries = []
    for row in paid:
        other = inside.get(row.account) if row.channel == "WALLET" else None
        entry = journal.Entry(
            type="IFT" if row.channel == "WALLET" else "EXPENSE",
            org_wallet_ref=batch.wallet.org_wallet_ref,
            currency=batch.currency,
            amount_minor=row.amount_minor,
            fees_minor=row.fee_minor,
            direction="OUT",
            ref=row.id,
            ledger_transaction_id=transaction_id,
            counterparty=row.receiver_name,
            subcategory_id=row.subcategory_id or None,
            team_id=batch.team_id,
            channel=row.channel,
            occurred_at=row.settled_at,
        )
        entries.append(entry)
        if other is not None and not other.holder_id:
            ref, name = other.org_wallet_ref, batch.wallet.name
            entries.append(replace(entry, org_wallet_ref=ref, direction="IN", counterparty=name, fees_minor=0))
    return entries


def _own_wallets(batch: Batch, paid: Iterable[Item]) -> dict[str, Wallet]:
    """The business's wallets that items pay into, by account number."""
    accounts = [row.account for row in paid if row.channel == "WALLET"]
    rows = Wallet.objects.filter(business=batch.business, currency=batch.currency, accno__in=accounts)
    return {wallet.accno: wallet for wallet in rows} if accounts else {}
