"""The rules for scripts that a machine can see: they ask through one door, wait for nothing for ever, and stay small."""

import re

from tests.house.sources import ROOT, name_of


def test_nothing_in_the_browser_claims_that_nothing_was_changed() -> None:
    # A script sees that an answer is missing, never what became of the request: only the server says that.
    claim = re.compile(
        r"nothing (was|has been|is) (changed|sent|done)|no change was made|was not (saved|changed)", re.IGNORECASE
    )
    scripts = sorted((ROOT / "static" / "js").glob("*.js"))
    assert scripts
    assert not {name_of(file) for file in scripts if claim.search(file.read_text())}


def test_scripts_ask_the_server_through_the_door_alone() -> None:
    # A 401 that nobody turns into a sign-in, a proxy's page taken for ours: one place sees to both. Before the door is there
    # the desk's first item is asked for: what is not ours and well is thrown away, and htmx asks again through the door
    # (tests/browser/test_first_item.py).
    asking = re.compile(r"\b(fetch|XMLHttpRequest|sendBeacon)\b\s*\(")
    scripts = {file.name: file.read_text() for file in (ROOT / "static" / "js").glob("*.js")}
    guilty = {name for name, script in scripts.items() if asking.search(script)}
    assert guilty == {"door.js", "early.js"}
    assert 'answer.ok && answer.headers.has("Countersign")' in scripts["early.js"]


def test_no_script_waits_for_an_answer_for_ever() -> None:
    scripts = {file.name: file.read_text() for file in (ROOT / "static" / "js").glob("*.js")}
    asked = {name: len(re.findall(r"\bfetch\(", script)) for name, script in scripts.items()}
    ended = {
        name: len(re.findall(r"\bfetch\([^;]*?signal: AbortSignal\.timeout(?:\?\.)?\(", script, re.DOTALL))
        for name, script in scripts.items()
    }
    assert sum(asked.values()) >= 3
    assert asked == ended
    assert [
        name for name, script in scripts.items() if "new XMLHttpRequest" in script and ".timeout = " not in script
    ] == []


def circles(imports: dict[str, set[str]]) -> set[str]:
    """The modules from which imports lead back to themselves."""

    def reached(name: str) -> set[str]:
        found: set[str] = set()
        waiting = set(imports[name])
        while waiting:
            one = waiting.pop()
            found.add(one)
            waiting |= imports.get(one, set()) - found
        return found

    return {name for name in imports if name in reached(name)}


def script_imports(source: str) -> set[str]:
    """The modules beside it that a script imports, by a statement or when it needs them."""
    return set(re.findall(r"""(?:\bfrom|\bimport|\bimport\()\s*["']\./([\w-]+\.js)["']""", source))


def test_scripts_do_not_import_each_other_in_a_circle() -> None:
    scripts = {file.name: script_imports(file.read_text()) for file in (ROOT / "static" / "js").glob("*.js")}
    assert sum(map(len, scripts.values())) > 30
    assert circles(scripts) == set()


def test_a_circle_of_scripts_is_found() -> None:
    three = {
        "a.js": 'import "./b.js";',
        "b.js": 'import { c } from "./c.js";',
        "c.js": 'import("./a.js")',
        "d.js": "import './a.js'",
    }
    assert circles({name: script_imports(source) for name, source in three.items()}) == {"a.js", "b.js", "c.js"}
    assert circles({"a.js": {"b.js"}, "b.js": set()}) == set()


def test_scripts_stay_small() -> None:
    scripts = sorted((ROOT / "static" / "js").glob("*.js"))
    assert scripts
    assert not {name_of(file) for file in scripts if len(file.read_text().splitlines()) > 150}
