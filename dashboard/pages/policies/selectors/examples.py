"""What the simulator offers to choose from."""

from dashboard.access.actor import Actor
from dashboard.mirror.choices import categories_of
from dashboard.pages.policies.forms.simulator import ExampleChoices
from dashboard.pages.policies.selectors.policies import currencies_of, people_of, vendors_of


def example_choices(actor: Actor) -> ExampleChoices:
    """Currencies, people, subcategories and vendors of the business."""
    return ExampleChoices(currencies_of(actor), people_of(actor), categories_of(actor), vendors_of(actor))
