"""How a vendor is shown on its own page."""

from dashboard.lists.detail_page import Facts
from dashboard.mirror.models import Vendor
from dashboard.pages.vendors.tables import ACCOUNT_STATES


def facts_of(vendor: Vendor) -> Facts:
    """The label and the text of what is known of a vendor: each account by its last characters and its state."""
    accounts = [
        (
            f"Paid by {account['channel'].replace('_', ' ').lower()}",
            f"…{account['last']}, {ACCOUNT_STATES.get(account['status'], '')}",
        )
        for account in vendor.instructions
    ]
    return [
        ("Email", vendor.email),
        ("Phone", vendor.phone),
        ("Tax PIN", vendor.tax_pin),
        ("Country", vendor.country),
        ("Currency", vendor.currency),
        *accounts,
    ]
