"""How the two programs are configured, started and checked; what each of them is called, and where they lie."""

from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
# In the order in which they start, and what the variables of their databases' addresses begin with.
PROGRAMS = ("service", "dashboard")
DATABASES = {"dashboard": "DATABASE", "service": "SERVICE_DATABASE"}
