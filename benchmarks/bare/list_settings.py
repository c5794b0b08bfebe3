"""The same bare Django with the list for its only address."""

from benchmarks.bare.settings import *  # noqa: F403

ROOT_URLCONF = "benchmarks.bare.lists"
