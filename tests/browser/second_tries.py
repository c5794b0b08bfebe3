"""Which files of the browser's tests may try a test a second time, and what each of them waits for that is not the page.

A page that says something false in one of two runs is a false page: so no other test is tried again, and none here that
looks at what is said of a form whose answer was lost (tests/house/test_second_tries.py).
"""

WORKERS = "it goes on once workers of the house have run its jobs, which all other tests of the browser share"
SECOND_TRIES = {
    "test_journal_exports.py": WORKERS,
    "test_month_end.py": WORKERS,
    "test_october.py": WORKERS,
    "test_offboarding.py": WORKERS,
    "test_payment_runs.py": WORKERS,
    "test_reconciliation.py": WORKERS,
}
