"""The pages' business."""

from tests.dashboard.pages.conftest import house, new_house

__all__ = ["house", "new_house"]
