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
# A form that posts, and the same where a page fills the block of its skeleton (shared/new_page.html).
POSTED = re.compile(r"""method="post"[^>]*?\baction="\{% url ['"](\w+)['"]|\{% block action %\}\{% url ['"](\w+)['"]""")
# Actions whose forms stand in several templates, by name: which, and why one template cannot be both.
IN_SEVERAL = {
    "account_logout": (
        {"templates/account/logout.html", "templates/mfa/authenticate.html"},
        "The second gives up a sign-in that is half done, and leads back to its first page.",
    ),
    "approvals": (
        {"templates/approvals/override.html", "templates/approvals/pane.html"},
        "Its verb stands behind the address: a decision, and one against what a policy says.",
    ),
    "approvals_decide_several": (
        {"templates/approvals/section.html", "templates/approvals/whole.html"},
        "One part of a plan, and all of it: each says other things above the button.",
    ),
    "approvals_plan": (
        {"templates/approvals/list.html", "templates/cards/queue.html"},
        "Around a whole table, whose boxes are its fields.",
    ),
    "cards_once_policy_change": (
        {"templates/cards/once_change.html", "templates/cards/once_look.html"},
        "Two steps: what is typed, and what was looked at.",
    ),
    "decisions_undo": (
        {"templates/decisions/decisions.html", "templates/shared/decision_toast.html"},
        "The toast counts down, and becomes what the answer says.",
    ),
    "treasury_fx_transfer": (
        {"templates/treasury/fx.html", "templates/treasury/fx_move.html"},
        "The first asks what became of the second, with its very fields.",
    ),
}
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


def posted(sources: Mapping[str, str]) -> dict[str, set[str]]:
    """The templates in which a form posts to an address, by the address's name."""
    places: defaultdict[str, set[str]] = defaultdict(set)
    for name, source in sources.items():
        for of_form, of_block in POSTED.findall(source):
            places[of_form or of_block].add(name)
    return dict(places)


def test_the_form_of_an_action_stands_in_one_template() -> None:
    found = posted(templates())
    assert len(found) > 150
    assert {name: files for name, files in found.items() if len(files) > 1} == {
        name: files for name, (files, _) in IN_SEVERAL.items()
    }


def test_a_second_form_of_an_action_is_found() -> None:
    form = """<form class="row" method="post"\n  id="a" action="{% url 'a' slug %}"{% if b %} hx-post="/"{% endif %}>"""
    page = "{% block action %}{% url 'a' slug %}{% endblock %}"
    assert posted({"one": form, "two": page, "three": form.replace("post", "get")}) == {"a": {"one", "two"}}


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


def open_comments(sources: Mapping[str, str]) -> set[str]:
    """Where a comment goes on on another line, in a template that is part of another: Django prints it on the page."""
    return {
        f"{name}:{number}"
        for name, text in sources.items()
        if "{% extends" not in text
        for number, line in enumerate(text.splitlines(), 1)
        if line.count("{#") > line.count("#}")
    }


def test_a_comment_ends_on_its_line() -> None:
    sources = {name: text for name, text in templates().items() if name.startswith("templates/")}
    assert open_comments(sources) == set()
    assert open_comments({"a.html": "{# Needs one\n   and another. #}"}) == {"a.html:1"}


def test_a_count_of_things_has_its_thousands_apart() -> None:
    """10,584 expenses, as amounts have them."""
    bare = re.compile(r"\{\{ ([A-Za-z_.]+) \}\}(?:</b>|&nbsp;)? [a-z -]+\{\{ \1\|pluralize")
    found = {f"{name}: {match[0]}" for name, source in templates().items() for match in bare.finditer(source)}
    assert not found
    assert bare.search("{{ report.count }} expense{{ report.count|pluralize }}")
