"""A business with cards, reached through a proxy that says what was sent."""

from tests.dashboard.cards.conftest import give as give
from tests.dashboard.cards.conftest import world as world
