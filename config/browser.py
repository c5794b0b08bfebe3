"""A Chromium on this machine, for the browser tests, the tour and the benchmarks."""

from __future__ import annotations

import os
import shutil

# The shell first: the same engine without a browser's own windows, whose tests take a fourth of the time.
BROWSERS = ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome", "google-chrome-stable")


def find_browser() -> str | None:
    """The path of a Chromium, or None where there is none; COUNTERSIGN_BROWSER names another."""
    named = os.environ.get("COUNTERSIGN_BROWSER")
    return named or next((program for name in BROWSERS if (program := shutil.which(name))), None)
