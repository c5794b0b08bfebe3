"""What areas above say of teams: what of theirs names one, and keeps it from being deleted."""

from collections.abc import Callable, Sequence

from service.businesses.models import Team

# What of an area names a team, as a sentence that says what is to be done first; "" for nothing. Asked with the team locked.
TeamObstacle = Callable[[Team], str]
_OBSTACLES: list[TeamObstacle] = []
# A sentence names so many of what it is about.
MOST_NAMED = 5


def register_team_obstacle(lookup: TeamObstacle) -> None:
    """Called by an area when it is loaded."""
    _OBSTACLES.append(lookup)


def obstacles_to_delete(team: Team) -> list[str]:
    """A sentence for each area that names the team."""
    return [sentence for lookup in _OBSTACLES if (sentence := lookup(team))]


def enumerated(names: Sequence[str]) -> str:
    """The first names as a sentence has them, and how many more there are."""
    more = len(names) - MOST_NAMED
    return ", ".join(names[:MOST_NAMED]) + (f" and {more} more" if more > 0 else "")
