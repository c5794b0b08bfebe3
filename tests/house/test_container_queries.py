"""How a page folds: its parts ask the container that they stand in how wide it is, and the window is asked by the page's own
frame alone."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent.parent
# What is laid out by the window itself, and why.
FRAME = {
    ".shell": "The sidebar stands beside the page, or above it.",
    ".side": "It is as high as the window.",
    ".areas": "The sidebar's list, which scrolls in it.",
    ".own-menu": "The person's menu, at the sidebar's foot.",
    ".toasts": "They are fixed to the window.",
    ".toast": "One of them.",
}
# Where a page asks for the window's width outside a stylesheet: {file: (what it says, why)}.
OTHERS = {
    "templates/approvals/inbox.html": (
        'media="(min-width: 1161px)"',
        "The item is asked for in the head, before there is a container: the window less the sidebar is the page's room.",
    ),
}
COMMENT = re.compile(r"/\*.*?\*/", re.DOTALL)
WINDOW = re.compile(r"@media[^{]*\bwidth\b[^{]*\{")
# Of a condition, not of a declaration: with its parenthesis.
ELSEWHERE = re.compile(r"\S*\(\s*(?:min-|max-)?width\s*(?::|[<>=])[^)]*\)\S*")
SELECTOR = re.compile(r"([^{};]+)\{")


def block_after(source: str, start: int) -> str:
    """What stands between the brace before `start` and the one that closes it."""
    depth = 1
    for place in range(start, len(source)):
        depth += {"{": 1, "}": -1}.get(source[place], 0)
        if not depth:
            return source[start:place]
    raise ValueError("a block that nothing closes")


def asks_the_window(stylesheet: str) -> Iterator[str]:
    """Each selector of a media query for width that is none of the frame's, with its query."""
    source = COMMENT.sub("", stylesheet)
    for query in WINDOW.finditer(source):
        for found in SELECTOR.findall(block_after(source, query.end())):
            # Each of a list of selectors for itself: one of the frame excuses none beside it.
            for selector in re.split(r",(?![^(]*\))", " ".join(found.split())):
                parts = set(re.findall(r"\.[\w-]+", selector))
                if not selector.startswith("@") and not parts & FRAME.keys():
                    yield f"{' '.join(query[0].split())[:-2]}: {selector.strip()}"


def stylesheets() -> dict[str, str]:
    files = [
        file
        for folder in ("static", "templates", "templates_jinja", "dashboard")
        for file in (ROOT / folder).rglob("*")
    ]
    sheets = {str(file.relative_to(ROOT)): file.read_text() for file in files if file.suffix == ".css"}
    for file in files:
        if file.suffix == ".html":
            for number, style in enumerate(re.findall(r"<style[^>]*>(.*?)</style>", file.read_text(), re.DOTALL)):
                sheets[f"{file.relative_to(ROOT)}:{number}"] = style
    return sheets


def test_only_the_frame_asks_for_the_width_of_the_window() -> None:
    sheets = stylesheets()
    assert "static/css/countersign.css" in sheets
    assert {name: found for name, sheet in sheets.items() if (found := list(asks_the_window(sheet)))} == {}


def test_neither_a_template_nor_a_script_asks_for_it_but_where_it_is_named() -> None:
    found: dict[str, list[str]] = {}
    for folder in ("templates", "templates_jinja", "static/js", "static/push"):
        for file in sorted((ROOT / folder).rglob("*")):
            if file.suffix in {".html", ".js"}:
                text = re.sub(r"<style.*?</style>", "", file.read_text(), flags=re.DOTALL)
                if asked := ELSEWHERE.findall(text):
                    found[str(file.relative_to(ROOT))] = asked
    assert found == {name: [text] for name, (text, _) in OTHERS.items()}


@pytest.mark.parametrize(
    "sheet",
    [
        "@media (max-width: 1160px) { .desk { display: block; } }",
        "@media (width <= 60rem) { .side { color: red; } .bar > .end { margin: 0; } }",
        "@layer a { @media screen and (min-width:800px){.pane,\n.side{float:left}} }",
        "@media (max-width: 560px) { .act .btn, .toast :is(button, a) { min-height: 44px; } }",
    ],
)
def test_a_pane_that_asks_the_window_is_found(sheet: str) -> None:
    assert len(list(asks_the_window(sheet))) == 1


@pytest.mark.parametrize(
    "sheet",
    [
        "@media (max-width: 820px) { .shell { display: block; } .side .biz { padding: 0; } body:has(.act) .toasts { top: 0; } }",
        "@container page (max-width: 944px) { .desk { display: block; } }",
        "@media print { .desk { max-width: 10px; } } @media (pointer: coarse) { .btn { min-height: 44px; } }",
        "/* @media (max-width: 1160px) { .desk { display: block; } } */",
    ],
)
def test_the_frame_a_container_paper_and_a_pointer_are_let_through(sheet: str) -> None:
    assert not list(asks_the_window(sheet))
