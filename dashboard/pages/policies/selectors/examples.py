"""What the simulator offers to choose from."""

from dashboard.access.actor import Actor
from dashboard.mirror.choices import categories_of
from dashboard.pages.policies.forms.simulator import ExampleChoices
from dashboard.pages.policies.selectors.policies import people_choices, vendor_choices, wallet_currencies


def example_choices(actor: Actor) -> ExampleChoices:
    """Currencies, people, subcategories and vendors of the business."""
    return ExampleChoices(wallet_currencies(actor), people_choices(actor), categories_of(actor), vendor_choices(actor))
