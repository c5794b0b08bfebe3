# ruff: noqa: F403, F405, I001
"""The settings and apps of both programs at once, for the types alone: all models are read once. No program runs with them.

That a program names no setting of the other is looked at in tests/house/test_settings.py.
"""

from config.settings import service
from config.settings.service import *

# Last, as its users are those that sign in.
from config.settings.dashboard import *  # type: ignore[assignment]

INSTALLED_APPS = [*INSTALLED_APPS, *(app for app in service.INSTALLED_APPS if app not in INSTALLED_APPS)]
