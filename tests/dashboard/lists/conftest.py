"""The pages' business, kept: exports read on a connection of their own, which sees only what was committed."""

import pytest
from django.conf import LazySettings

from tests.dashboard.pages.conftest import House, house, make_house, new_house

__all__ = ["house", "new_house"]


@pytest.fixture
def kept_house(committed: None, settings: LazySettings, tmp_path_factory: pytest.TempPathFactory) -> House:
    folder = str(tmp_path_factory.mktemp("exports"))
    exports = {**settings.STORAGES["exports"], "OPTIONS": {"location": folder}}
    settings.STORAGES = {**settings.STORAGES, "exports": exports}
    return make_house()
