"""Each room of dashboard/pages/ holds files of the same names, so that a change is found where it is in every other.

A file that has grown too long becomes a folder of its name, whose modules are nouns of the room.
"""

import ast
from pathlib import Path

import pytest

from tests.house.sources import ROOT, nodes_of, tree_of
from tests.house.test_rooms_service import is_banned

PAGES = ROOT / "dashboard" / "pages"

# What a file of that name holds, in every room that has one. All but urls may be a folder.
STANDARD = {
    "urls": "addresses",
    "views": "functions named by what the person intends, about ten lines, each behind the gate",
    "forms": "every form of the room",
    "tables": "its lists for the list engine",
    "selectors": "what is read: queries within what the person may see, and live reads",
    "services": "what is changed and is no command of dashboard/commands/: rows of our own",
    "presenters": "how a thing is shown: rows, cards, sentences",
}
# The doors: a function behind one of them is asked for by a person, so it stands among the views.
GATES = {"needs", "public", "own_account"}
FORMS = {"Form", "ModelForm"}
# No form, but what the forms whose fields read by a locale extend: it has no field, and stands beside those fields.
BASES_OF_FORMS = {"web/fields.py: LocaleForm"}
# A view translates: what it takes more lines for is a presenter's, a selector's or a command's.
LINES_OF_A_VIEW = 15


def rooms(pages: Path) -> list[Path]:
    """The packages of pages/ that have addresses of their own."""
    return sorted(each.parent for each in pages.glob("*/urls.py"))


def modules(room: Path) -> list[Path]:
    """The modules of a room and of its folders, but for `__init__`."""
    return sorted(each for each in room.rglob("*.py") if each.stem != "__init__" and "__pycache__" not in each.parts)


def part_of(room: Path, module: Path) -> str:
    """Which of the standard parts a module belongs to: its own name, or its folder's."""
    first = module.relative_to(room).parts[0]
    return first.removesuffix(".py")


def wrong_names(pages: Path) -> set[str]:
    """The modules that are no standard part, the nouns in a part's folder that say what is done, and urls as a folder."""
    found = set()
    for room in rooms(pages):
        for module in modules(room):
            inside = module.relative_to(room).parts
            is_standard = part_of(room, module) in STANDARD and len(inside) <= 2
            is_noun = len(inside) == 1 or (inside[0] != "urls" and not is_banned(module.stem))
            if not is_standard or not is_noun:
                found.add(str(module.relative_to(pages)))
    return found


def _name(node: ast.expr) -> str:
    called = node.func if isinstance(node, ast.Call) else node
    return called.attr if isinstance(called, ast.Attribute) else called.id if isinstance(called, ast.Name) else ""


def gates_outside_views(pages: Path) -> set[str]:
    """Functions behind a gate that stand elsewhere than among the views."""
    return {
        f"{module.relative_to(pages)}: {node.name}"
        for room in rooms(pages)
        for module in modules(room)
        if part_of(room, module) != "views"
        for node in nodes_of(tree_of(module))
        if isinstance(node, ast.FunctionDef) and GATES & {_name(each) for each in node.decorator_list}
    }


def forms_outside_forms(pages: Path) -> set[str]:
    """Classes of forms that stand elsewhere than in forms: those that are one by their name or their base's."""
    return {
        f"{module.relative_to(pages)}: {node.name}"
        for room in rooms(pages)
        for module in modules(room)
        if part_of(room, module) != "forms"
        for node in nodes_of(tree_of(module))
        if isinstance(node, ast.ClassDef)
        and any(name in FORMS or name.endswith("Form") for name in (node.name, *map(_name, node.bases)))
    }


def forms_beside_the_rooms(dashboard: Path) -> set[str]:
    """Classes that extend a form, anywhere in the program, and stand in no module or folder called forms."""
    return {
        f"{module.relative_to(dashboard)}: {node.name}"
        for module in sorted(dashboard.rglob("*.py"))
        if "forms" not in module.with_suffix("").parts
        for node in nodes_of(tree_of(module))
        if isinstance(node, ast.ClassDef)
        and any(name in FORMS or name.endswith("Form") for name in map(_name, node.bases))
    }


def long_views(pages: Path) -> set[str]:
    """Functions behind a gate whose body, without the docstring, has more lines than a view may have."""
    return {
        f"{module.relative_to(pages)}: {node.name}"
        for room in rooms(pages)
        for module in modules(room)
        for node in nodes_of(tree_of(module))
        if isinstance(node, ast.FunctionDef) and GATES & {_name(each) for each in node.decorator_list}
        if _lines_of(node) > LINES_OF_A_VIEW
    }


def _lines_of(function: ast.FunctionDef) -> int:
    body = function.body[1:] if ast.get_docstring(function) is not None else function.body
    return (function.end_lineno or 0) - body[0].lineno + 1 if body else 0


def test_a_room_holds_the_standard_files_alone() -> None:
    assert wrong_names(PAGES) == set()


def test_what_is_behind_a_gate_is_a_view() -> None:
    assert gates_outside_views(PAGES) == set()


def test_forms_stand_in_forms() -> None:
    assert forms_outside_forms(PAGES) == set()
    assert forms_beside_the_rooms(ROOT / "dashboard") == BASES_OF_FORMS


def test_a_view_is_short() -> None:
    assert long_views(PAGES) == set()


@pytest.mark.parametrize(
    ("file", "text", "broken"),
    [
        ("asked.py", "", wrong_names),
        ("views/deciding.py", "", wrong_names),
        ("views/deep/orders.py", "", wrong_names),
        ("urls/all.py", "", wrong_names),
        ("selectors.py", "@needs(operations.LIST)\ndef browse(request): ...\n", gates_outside_views),
        ("presenters.py", "class Reason(forms.Form): ...\n", forms_outside_forms),
        ("views.py", "class More(ReasonForm): ...\n", forms_outside_forms),
        ("sign_on.py", "class More(forms.Form): ...\n", forms_beside_the_rooms),
        ("views.py", '@needs(operations.LIST)\ndef browse(request):\n    """All."""\n' + "    pass\n" * 16, long_views),
    ],
)
def test_a_room_that_breaks_it_is_found(tmp_path: Path, file: str, text: str, broken: object) -> None:
    room = tmp_path / "parcels"
    (room / file).parent.mkdir(parents=True, exist_ok=True)
    (room / "urls.py").touch()
    (room / file).write_text(text)
    assert callable(broken)
    assert broken(tmp_path), file


def test_a_room_that_keeps_it_is_not_found(tmp_path: Path) -> None:
    room = tmp_path / "parcels"
    (room / "views").mkdir(parents=True)
    (room / "urls.py").touch()
    short = '@needs(operations.LIST)\ndef browse(request):\n    """All."""\n' + "    pass\n" * 15
    (room / "views" / "orders.py").write_text(short)
    (room / "forms.py").write_text("class Reason(forms.Form): ...\n")
    for rule in (wrong_names, gates_outside_views, forms_outside_forms, forms_beside_the_rooms, long_views):
        assert rule(tmp_path) == set()
