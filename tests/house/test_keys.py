"""No key has two handlers on one page: what a key does is one thing, and the list of shortcuts says it."""

from __future__ import annotations

import re
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
SCRIPTS = ROOT / "static" / "js"
IMPORTED = re.compile(r'^import (?:[^"]* from )?"\./([\w-]+\.js)";', re.MULTILINE)
LOADED = re.compile(r"{% static 'js/([\w-]+\.js)' %}\" type=\"module\"")
TABLE = re.compile(r"^const keys = \{$(.*?)^\};$", re.MULTILINE | re.DOTALL)
NAMED = re.compile(r'(?:^|(?<=,))\s*(?:"(?P<quoted>[^"]+)"|(?P<plain>\w+)):', re.MULTILINE)
SPREAD = re.compile(r'\.\.\.Object\.fromEntries\(\[\.\.\."([^"]+)"\]')
LISTED = re.compile(r"<kbd>([^<]+)</kbd>")
# What every page loads (templates/base.html).
EVERYWHERE = "countersign.js"


def keys_of(source: str) -> list[str]:
    """The keys of a script's table, as `event.key` has them."""
    table = TABLE.search(source)
    if table is None:
        return []
    spread = [key for letters in SPREAD.findall(table[1]) for key in letters]
    lines = "\n".join(line for line in table[1].splitlines() if not line.lstrip().startswith(("...", "//")))
    outer = re.sub(r"\{[^{}]*\}", "", lines)
    return spread + [match["quoted"] or match["plain"] for match in NAMED.finditer(outer)]


def with_imports(script: str, seen: frozenset[str] = frozenset()) -> frozenset[str]:
    """A script and all that it imports."""
    if script in seen:
        return seen
    seen |= {script}
    for imported in IMPORTED.findall((SCRIPTS / script).read_text()):
        seen = with_imports(imported, seen)
    return seen


def pages() -> dict[str, frozenset[str]]:
    """The scripts of each template that loads some beside those of every page."""
    found = {}
    for template in sorted((ROOT / "templates").rglob("*.html")):
        scripts = {EVERYWHERE, *LOADED.findall(template.read_text())}
        found[str(template.relative_to(ROOT))] = frozenset().union(*(with_imports(script) for script in scripts))
    return found


def twice(scripts: frozenset[str]) -> dict[str, list[str]]:
    """The keys that several of the scripts handle, or one of them twice."""
    handlers: dict[str, list[str]] = {}
    for script in sorted(scripts):
        for key in keys_of((SCRIPTS / script).read_text()):
            handlers.setdefault(key, []).append(script)
    return {key: places for key, places in handlers.items() if len(places) > 1}


def test_no_key_has_two_handlers_on_one_page() -> None:
    found = pages()
    assert any("queue.js" in scripts for scripts in found.values())
    assert {page: twice(scripts) for page, scripts in found.items() if twice(scripts)} == {}


def test_the_tables_are_read() -> None:
    assert set(keys_of((SCRIPTS / "viewer.js").read_text())) == {*"nbw0=+-"}
    assert set(keys_of((SCRIPTS / "keyboard.js").read_text())) == {*"jkoardctxpz?/"}
    assert set(keys_of((SCRIPTS / "queue.js").read_text())) == {*"123456789u", "enter"}
    assert twice(frozenset({"viewer.js"})) == {}


def test_every_key_of_the_desk_is_in_the_list_of_shortcuts() -> None:
    listed = "".join(
        (ROOT / "templates" / name).read_text() for name in ("approvals/keys.html", "documents/key_list.html")
    )
    shown = {key.lower().replace("−", "-") for key in LISTED.findall(listed)}
    handled = {key for script in ("viewer.js", "keyboard.js") for key in keys_of((SCRIPTS / script).read_text())}
    assert handled - shown <= {"="}, "a key that nobody is told of (= is + without Shift)"


def test_only_tables_and_what_looks_at_the_focus_listen_to_single_keys() -> None:
    compared = re.compile(r"""(?:event\.key|letter)(?:\.toLowerCase\(\))? [!=]== "(\w)\"""")
    single = {
        file.name: compared.findall(file.read_text())
        for file in sorted(SCRIPTS.glob("*.js"))
        if compared.search(file.read_text())
    }
    # K with Ctrl; X of a list that is no desk.
    assert single == {"palette.js": ["k"], "ticks.js": ["x"]}
