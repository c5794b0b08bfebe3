"""Tests of offboarding."""
