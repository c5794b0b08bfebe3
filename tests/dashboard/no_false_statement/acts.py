"""All acts there are: what every fault of acting and looking is tried on."""

from __future__ import annotations

from tests.dashboard.no_false_statement.authority import AUTHORITY
from tests.dashboard.no_false_statement.books import BOOKS
from tests.dashboard.no_false_statement.cards import CARDS
from tests.dashboard.no_false_statement.catalogue import CATALOGUE
from tests.dashboard.no_false_statement.decided import DECIDED
from tests.dashboard.no_false_statement.moved import MOVED
from tests.dashboard.no_false_statement.opted import OPTED
from tests.dashboard.no_false_statement.paid import PAID
from tests.dashboard.no_false_statement.payables import PAYABLES
from tests.dashboard.no_false_statement.payees import PAYEES
from tests.dashboard.no_false_statement.payouts import PAYOUTS
from tests.dashboard.no_false_statement.rules import RULES
from tests.dashboard.no_false_statement.schedules import SCHEDULES
from tests.dashboard.no_false_statement.sent import SENT
from tests.dashboard.no_false_statement.staff import STAFF
from tests.dashboard.no_false_statement.stage import Act
from tests.dashboard.no_false_statement.transactions import TRANSACTIONS
from tests.dashboard.no_false_statement.wallets import WALLETS
from tests.dashboard.no_false_statement.worked import WORKED

# What a page sends by itself: the same form can come again.
FORMS: tuple[type[Act], ...] = (
    *DECIDED, *OPTED, *SENT, *MOVED, *CARDS, *WALLETS, *PAYEES, *PAYABLES, *SCHEDULES, *PAYOUTS, *PAID,
    *CATALOGUE, *TRANSACTIONS, *BOOKS, *RULES, *AUTHORITY, *STAFF,
)  # fmt: skip
ACTS: tuple[type[Act], ...] = (*FORMS, *WORKED)
