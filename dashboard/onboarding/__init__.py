"""Onboarding: new people who are added together, each with role, team, card and access to this dashboard."""
