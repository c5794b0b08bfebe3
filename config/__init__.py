"""How the two programs are put together: settings, site maps, jobs, and what `manage.py up` and `test` run."""
