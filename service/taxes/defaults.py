"""The withholding taxes that a business of a country starts with: dated, and to be edited where practice differs."""

from dataclasses import dataclass
from datetime import date

from service.businesses.models import Business
from service.taxes.models import Base, Tax, TaxRate


@dataclass(frozen=True, slots=True)
class _Seed:
    """Rates in basis points, the threshold in whole units of the country's currency."""

    code: str
    name: str
    resident_bps: int
    non_resident_bps: int
    threshold: int = 0
    base: Base = Base.NET_OF_VAT
    final: bool = False
    note: str = ""


SINCE = date(2024, 1, 1)
RENT_NOTE = (
    "Sources differ on the rate for residents (10 % and 12 %): ask the tax adviser and date the right one by an edit."
)
SEEDS = {
    "KE": (
        _Seed("WHT_PROFESSIONAL", "Professional, management and training fees", 500, 2000, 24_000),
        _Seed("WHT_CONTRACTUAL", "Contractual fees", 300, 2000, 24_000),
        _Seed("WHT_RENT", "Rent", 1000, 3000, base=Base.GROSS, note=RENT_NOTE),
    )
}


def usual_taxes(business: Business) -> list[Tax]:
    """Makes the taxes of the business's country, in two statements; none where we know of none."""
    seeds = SEEDS.get(business.country, ())
    taxes = Tax.objects.bulk_create(
        Tax(business=business, code=seed.code, name=seed.name, currency=business.currency) for seed in seeds
    )
    TaxRate.objects.bulk_create(
        TaxRate(
            tax=tax,
            base=seed.base,
            resident_rate_bps=seed.resident_bps,
            non_resident_rate_bps=seed.non_resident_bps,
            threshold_minor=seed.threshold * 100,
            final=seed.final,
            effective_from=SINCE,
            note=seed.note,
            created_by="system",
        )
        for tax, seed in zip(taxes, seeds, strict=True)
    )
    return taxes
