"""What can be paid to in a country: its channels, what each costs, and its banks."""

from dataclasses import dataclass
from operator import itemgetter

from service.rails import bank, mobile_money
from service.rails.bank import BankRail
from service.rails.mobile_money import MobileMoneyRail


@dataclass(frozen=True, slots=True)
class Channel:
    """A way to pay. `needs` names the fields of an item beside the account; the fee is in minor units."""

    code: str
    name: str
    float_kind: str
    countries: frozenset[str]  # empty: everywhere
    currencies: frozenset[str]  # empty: any
    fee_minor: int
    needs: tuple[str, ...] = ()

    @property
    def rail(self) -> BankRail | MobileMoneyRail | None:
        """The rail that carries it; None between our own wallets."""
        return {"BANK_FLOAT": bank.rail, "MOBILE_FLOAT": mobile_money.rail}.get(self.float_kind)


_KE, _KES, _ANY = frozenset({"KE"}), frozenset({"KES"}), frozenset[str]()

CHANNELS = {
    channel.code: channel
    for channel in (
        Channel("MPESA_SEND_MONEY", "M-Pesa to a phone", "MOBILE_FLOAT", _KE, _KES, 13_00),
        Channel("MPESA_PAYBILL", "M-Pesa paybill", "MOBILE_FLOAT", _KE, _KES, 15_00, ("account_reference",)),
        Channel("MPESA_TILL", "M-Pesa till", "MOBILE_FLOAT", _KE, _KES, 0),
        Channel("MPESA_POCHI", "M-Pesa Pochi la Biashara", "MOBILE_FLOAT", _KE, _KES, 13_00),
        Channel("AIRTIME", "Airtime", "MOBILE_FLOAT", _KE, _KES, 0),
        Channel("BANK_PESALINK", "PesaLink", "BANK_FLOAT", _KE, _KES, 40_00, ("bank_code",)),
        Channel("BANK_EFT", "EFT", "BANK_FLOAT", _KE, _KES, 50_00, ("bank_code",)),
        Channel("BANK_RTGS", "RTGS", "BANK_FLOAT", _KE, _ANY, 500_00, ("bank_code",)),
        Channel("BANK_SWIFT", "SWIFT", "BANK_FLOAT", _ANY, _ANY, 25_00, ("bank_code",)),
        Channel("WALLET", "Another wallet of the business", "", _ANY, _ANY, 0),
    )
}

BANKS: dict[str, tuple[tuple[str, str], ...]] = {
    "KE": (
        ("01", "KCB Bank Kenya"),
        ("02", "Standard Chartered Bank Kenya"),
        ("03", "Absa Bank Kenya"),
        ("07", "NCBA Bank Kenya"),
        ("10", "Prime Bank"),
        ("11", "Co-operative Bank of Kenya"),
        ("12", "National Bank of Kenya"),
        ("16", "Citibank N.A. Kenya"),
        ("31", "Stanbic Bank Kenya"),
        ("57", "I&M Bank"),
        ("63", "Diamond Trust Bank Kenya"),
        ("66", "Sidian Bank"),
        ("68", "Equity Bank Kenya"),
        ("70", "Family Bank"),
        ("72", "Gulf African Bank"),
    ),
    "NL": (("ABNANL2A", "ABN AMRO"), ("INGBNL2A", "ING"), ("RABONL2U", "Rabobank"), ("TRIONL2U", "Triodos")),
}


def channels(country: str) -> list[Channel]:
    """The channels of a country."""
    return [channel for channel in CHANNELS.values() if not channel.countries or country in channel.countries]


def banks(country: str) -> list[tuple[str, str]]:
    """Code and name of the banks of a country, by name."""
    return sorted(BANKS.get(country, ()), key=itemgetter(1))
