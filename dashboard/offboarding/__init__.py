"""Offboarding: everything somebody leaves behind gets an heir or an action, in one job that can be resumed."""
