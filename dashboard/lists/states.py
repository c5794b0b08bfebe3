"""States in words: what an area's table says for the codes of the service, and for codes that it does not know."""

from collections.abc import Mapping

# By code: the word, and the tone that its mark has ("" for none).
States = Mapping[str, tuple[str, str]]


def state_in(states: States, code: str) -> tuple[str, str]:
    """The word and the tone of a state's code."""
    return states.get(code, (code.replace("_", " ").capitalize(), ""))


def words(states: States) -> dict[str, str]:
    """The words alone, by code: for a filter's choices and for files."""
    return {code: word for code, (word, _) in states.items()}
