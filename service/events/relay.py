"""Gives committed events their number, and whoever follows them word of it (decisions B.6): one relay at a time, behind the writers.

Numbering inside the business transaction would make all writes of a business wait for one another; a database sequence
would commit out of order, and `after=` would skip events. So the relay numbers what is committed, and only that is
ever shown.
"""

from collections.abc import Callable

from django.db import connection, transaction

from service import sql
from service.events.models import Event

# Any number, as long as nothing else uses it: the lock that makes the relay the only one.
RELAY_LOCK = 7_305_001

NUMBER = """
with fresh as (
    select id, business_id, row_number() over (partition by business_id order by id) as place
    from (
        select id, business_id from events_event where sequence is null order by id limit %(limit)s
    ) as waiting
), counted as (
    insert into events_eventcounter as counter (business_id, last)
    select business_id, count(*) from fresh group by business_id
    on conflict (business_id) do update set last = counter.last + excluded.last
    returning business_id, last
), sized as (
    select counted.business_id, counted.last - (select count(*) from fresh f where f.business_id = counted.business_id)
        as base
    from counted
)
update events_event as event
set sequence = sized.base + fresh.place
from fresh join sized using (business_id)
where event.id = fresh.id
returning event.id
"""

LAST = (
    "select sequence from events_event where business_id = %s and sequence is not null order by sequence desc limit 1"
)


def last_sequence(business_id: str) -> int:
    """The number of the business's last event that has one; 0 before the first."""
    row = sql.row(LAST, [business_id])
    return row[0] if row else 0


# Each writes the events of changes that nobody records at once, such as those of balances, and answers how many.
_sources: list[Callable[[], int]] = []
# Of each source, whether it has any to write.
_questions: list[Callable[[], bool]] = []


def register(source: Callable[[], int], has_changed: Callable[[], bool]) -> None:
    """Registers a source, which writes its events before each numbering, and what says whether it has any."""
    _sources.append(source)
    _questions.append(has_changed)


def has_waiting() -> bool:
    """Whether a committed event waits for its number, or a source has one to write."""
    return Event.objects.filter(sequence__isnull=True).exists() or any(ask() for ask in _questions)


# What happens to events that were just numbered, in the transaction that numbers them: ids in no order.
_followers: list[Callable[[list[str]], None]] = []
# What runs once they are committed.
_announcements: list[Callable[[], object]] = []


def follow(follower: Callable[[list[str]], None], announce: Callable[[], object]) -> None:
    """Registers a follower, which gets the ids of numbered events in the same transaction.

    `announce` runs after a relay that numbered any.
    """
    _followers.append(follower)
    _announcements.append(announce)


def number_waiting(limit: int = 2000) -> int:
    """Numbers up to `limit` events, hands their ids to the followers; how many. 0 also while another relay works."""
    with transaction.atomic(), connection.cursor() as cursor:
        cursor.execute("select pg_try_advisory_xact_lock(%s)", [RELAY_LOCK])
        if not cursor.fetchone()[0]:
            return 0
        cursor.execute(NUMBER, {"limit": limit})
        numbered = [row[0] for row in cursor.fetchall()]
        for follower in _followers if numbered else ():
            follower(numbered)
    return len(numbered)


def relay() -> int:
    """Runs the sources, and numbers every event that waits; how many there were."""
    for source in _sources:
        source()
    total = 0
    while batch := number_waiting():
        total += batch
    return total


def announce() -> None:
    """Runs what follows a relay that numbered something."""
    for announcement in _announcements:
        announcement()
