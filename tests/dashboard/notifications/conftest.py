"""The business of the pages' tests, as the mirror knows it."""

from tests.dashboard.pages.conftest import house as house
from tests.dashboard.pages.conftest import new_house as new_house
