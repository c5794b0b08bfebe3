"""Decisions on their way to the service: waiting, sending, not known yet."""
