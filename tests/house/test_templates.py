"""Rules of templates: nothing is written twice, and what htmx does stands whole in its tag."""

import re
from collections import defaultdict
from collections.abc import Iterator, Mapping
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
LENGTH, SAYING = 6, 2
# A tag with nothing but a class, an end, the other branch: what every page is made of, and says nothing by itself.
FRAME = re.compile(
    r'(?:</?\w+(?: class="[\w -]*")?>|\{% (?:end\w+|else|empty|csrf_token|form_key|block content|extends [^%]*|load [^%]*) ?%\}|\s)*'
)
TAG = re.compile(
    r"<[a-zA-Z](?:\{%.*?%\}|\{\{.*?\}\}|\"(?:\{%.*?%\}|\{\{.*?\}\}|[^\"])*\"|'[^']*'|[^>\"'{]|\{)*>", re.DOTALL
)
STEP = re.compile(r"\{%\s*(?P<opens>if|for|with|ifchanged)\b|\{%\s*(?P<closes>endif|endfor|endwith|endifchanged)\b|\shx-[\w-]+", re.DOTALL)  # fmt: skip


def templates() -> dict[str, str]:
    files = [file for folder in ("templates", "templates_jinja") for file in sorted((ROOT / folder).rglob("*.html"))]
    assert len(files) > 150
    return {str(file.relative_to(ROOT)): file.read_text() for file in files}


def repeated(sources: Mapping[str, str]) -> set[str]:
    """Each run of six lines, blanks aside, that stands in two places and says something in two of them at least."""
    places: defaultdict[tuple[str, ...], list[str]] = defaultdict(list)
    for name, source in sources.items():
        numbered = [(number, " ".join(line.split())) for number, line in enumerate(source.splitlines(), 1)]
        lines = [(number, line) for number, line in numbered if line]
        for start in range(len(lines) - LENGTH + 1):
            run = tuple(line for _, line in lines[start : start + LENGTH])
            if sum(not FRAME.fullmatch(line) for line in run) >= SAYING:
                places[run].append(f"{name}:{lines[start][0]}")
    return {" = ".join(found) for found in places.values() if len(found) > 1}


def woven(source: str) -> Iterator[str]:
    """The tags in which an hx- attribute depends on a {% if %} within the tag."""
    for tag in TAG.finditer(source):
        depth = 0
        for step in STEP.finditer(tag[0]):
            depth += 1 if step["opens"] else -1 if step["closes"] else 0
            if depth and not step["opens"] and not step["closes"]:
                yield tag[0]
                break


def test_no_six_lines_stand_in_two_places() -> None:
    assert repeated(templates()) == set()


def test_a_repeated_run_is_found_however_it_is_indented() -> None:
    form = '<form action="/a/">\n  {% csrf_token %}\n  <input name="a">\n  <input name="b">\n  <button>Go</button>\n</form>'
    assert repeated({"one": form, "two": "<p>\n" + form.replace("\n", "\n\n    ")}) == {"one:1 = two:2"}
    assert repeated({"one": form + "\n<hr>\n" + form}) == {"one:1 = one:8"}
    assert repeated({"one": form, "two": form.replace("Go", "Stop")}) == set()
    frame = '</td>\n</tr>\n{% endfor %}\n</tbody>\n</table>\n</div>\n{% else %}\n<div class="paper empty">'
    assert repeated({"one": frame, "two": frame}) == set()


def test_hx_attributes_depend_on_nothing_within_their_tag() -> None:
    assert {(name, tag) for name, source in templates().items() for tag in woven(source)} == set()


def test_an_hx_attribute_within_a_condition_is_found() -> None:
    assert list(woven('<p id="a"{% if oob %} hx-swap-oob="true"{% endif %}>'))
    assert list(woven('<p {% if a > b %}class="x"{% else %}\n  hx-get="{% url "a" %}"{% endif %}>'))
    assert not list(
        woven(
            '{% if a %}<p hx-get="/a/{% if b %}b{% endif %}">{% endif %}<p{% if a %} class="x"{% endif %} hx-get="/">'
        )
    )
