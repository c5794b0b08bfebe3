"""Vendors of the demo businesses with the accounts they are paid on; one or two want to be paid elsewhere now."""

from dataclasses import dataclass
from datetime import datetime

from service.businesses.models import Business, Role
from service.sandbox import clock
from service.sandbox.demo_plan import acting, ago, caller_of_role, persons
from service.vendors import instructions, services
from service.vendors.models import Vendor
from service.vendors.schemas import ChangedInstruction, NewVendor


@dataclass(frozen=True, slots=True)
class Supplier:
    """Who sends bills: for what, usually how much (whole units of the first currency), filed and taxed how."""

    name: str
    what: str
    usual: int
    subcategory: str
    account: str
    bank: str
    tax: str = ""


KENYA = (
    Supplier("Acacia Office Supplies", "Paper and toner", 38_500, "Stationery", "01146220981", "68"),
    Supplier("Mwamba Properties", "Rent, head office", 285_000, "Stationery", "11020045120", "11", "WHT_RENT"),
    Supplier("Pwani Warehousing", "Storage, Mombasa", 142_000, "Stationery", "20061177340", "01", "WHT_CONTRACTUAL"),
    Supplier(
        "Ngugi and Partners Advocates", "Legal advice", 96_000, "Stationery", "57001239980", "57", "WHT_PROFESSIONAL"
    ),
    Supplier("Highland Truck Parts", "Brake pads and filters", 118_000, "Fuel", "68114420075", "68"),
    Supplier("Savanna Fuels Bulk", "Diesel, 5,000 litres", 870_000, "Fuel", "03220018845", "03"),
    Supplier("Mnara Broadband", "Lines of all depots", 74_000, "Internet", "07118820093", "07"),
    Supplier("Usafi Cleaning Services", "Cleaning", 42_000, "Stationery", "70022917446", "70", "WHT_CONTRACTUAL"),
    Supplier("Elimu Safety Training", "Driver training", 65_000, "Stationery", "12077310042", "12", "WHT_PROFESSIONAL"),
    Supplier("Jenga Shelving", "Pallet racks", 230_000, "Stationery", "31990017725", "31"),
    Supplier("Daraja Tax Advisers", "Monthly returns", 54_000, "Stationery", "63100552817", "63", "WHT_PROFESSIONAL"),
    Supplier("Nuru Solar Systems", "Panels, Voi depot", 412_000, "Stationery", "72044618830", "72"),
)
NETHERLANDS = (
    Supplier("Huurhuis Vastgoed", "Rent, laboratory", 6_800, "Stationery", "NL20INGB0001234567", "INGBNL2A"),
    Supplier("Staalgieterij Twente", "Castings", 3_450, "Stationery", "NL43ABNA0417164388", "ABNANL2A"),
    Supplier("Veldhuis Accountants", "Bookkeeping", 1_250, "Software", "NL39RABO0300065264", "RABONL2U"),
    Supplier("Sensorhuis Eindhoven", "Force sensors", 4_900, "Stationery", "NL86INGB0002445588", "INGBNL2A"),
    Supplier("Groene Stroom Coop", "Electricity", 2_140, "Fuel", "NL63TRIO0212345678", "TRIONL2U"),
    Supplier("Schoonwerk", "Cleaning", 680, "Stationery", "NL18RABO0123459876", "RABONL2U"),
    Supplier("Expeditie Maasvlakte", "Freight", 1_760, "Stationery", "NL18INGB0007788990", "INGBNL2A"),
    Supplier("Kooiman Octrooien", "Patent filing", 5_300, "Software", "NL91ABNA0998877665", "ABNANL2A"),
    Supplier("Printplaat Express", "Circuit boards", 2_980, "Stationery", "NL97RABO0334455667", "RABONL2U"),
)
SUPPLIERS = {"KE": KENYA, "NL": NETHERLANDS}
ELSEWHERE = {"KE": ("01990044127", "10"), "NL": ("NL78TRIO0998811223", "TRIONL2U")}
CHANNELS = {"KE": "BANK_PESALINK", "NL": "BANK_SWIFT"}


def create_vendors(business: Business, now: datetime) -> dict[str, Vendor]:
    """The vendors by name, known since a year."""
    caller, vendors = caller_of_role(business, Role.ADMIN), {}
    for place, supplier in enumerate(SUPPLIERS[business.country]):
        with clock.at(ago(now, 362 - place / 10)):
            vendors[supplier.name] = services.create(caller, NewVendor.model_validate(_body(business, supplier, place)))
    return vendors


def _body(business: Business, supplier: Supplier, place: int) -> dict[str, object]:
    account = {"channel": CHANNELS[business.country], "account": supplier.account, "bank_code": supplier.bank}
    return {
        "name": supplier.name,
        "email": f"accounts@{supplier.name.split()[0].lower()}.example",
        "taxPin": f"P0512{34_560 + 17 * place}Q" if business.country == "KE" else f"NL8{10_203_040 + 91 * place}B01",
        "payment_instructions": [{**account, "is_default": True}],
    }


def change_payee(business: Business, vendor: Vendor, now: datetime) -> None:
    """Somebody writes that the vendor's bank has changed: the new account waits for a second person."""
    account, bank = ELSEWHERE[business.country]
    body = {"channel": CHANNELS[business.country], "account": account, "bank_code": bank}
    with clock.at(ago(now, 1)):
        caller = acting(business, persons(business, Role.ADMIN)[-1])
        instructions.change_instruction(caller, vendor.id, ChangedInstruction.model_validate(body))
