"""No test of what a page says passes at its second try: only files that are named, each with a reason, have one."""

import re
from pathlib import Path

from tests.browser.second_tries import SECOND_TRIES

FOLDER = Path("tests/browser")
# What only tests of lost answers, ended sessions and broken calls write.
OF_WHAT_IS_SAID = re.compile(r"Nothing was changed|not known yet|\.abort\(|\.fulfill\(|act_and_lose|NOT_KNOWN")


def test_every_file_with_a_second_try_is_there_and_has_a_reason() -> None:
    assert [name for name in SECOND_TRIES if not (FOLDER / name).is_file()] == []
    assert all(len(reason) > 20 for reason in SECOND_TRIES.values())
    assert len(SECOND_TRIES) <= 8, "a test that needs a second try is a race to be mended"


def test_none_of_them_looks_at_what_is_said_where_an_answer_was_lost() -> None:
    said = {name for name in SECOND_TRIES if OF_WHAT_IS_SAID.search((FOLDER / name).read_text())}
    assert said == set()
    others = {path.name for path in FOLDER.glob("test_*.py") if OF_WHAT_IS_SAID.search(path.read_text())}
    assert {"test_lost_answers.py", "test_session_gone.py", "test_every_control.py"} <= others


def test_nothing_else_tries_a_test_again() -> None:
    """No option of the command, no mark: a second try is given in one place."""
    given = re.compile(r"--(force-)?reruns\b|mark\.flaky\b")
    written = [*Path("tests").rglob("*.py"), *Path("config").rglob("*.py"), Path("pyproject.toml")]
    found = {str(path) for path in written if given.search(path.read_text())}
    assert found == {"tests/browser/conftest.py"}
