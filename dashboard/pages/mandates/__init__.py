"""Roles and mandates: who has which role, what a role may do, and whose approval is asked for."""
