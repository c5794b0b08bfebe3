"""The scripts of every page as one file: each module once, in the order of need, and its names are nobody else's."""

from __future__ import annotations

from pathlib import Path

import pytest

from dashboard.web.script_bundle import NotBundled, against_bundle, bundle, modules_of

FOLDER = Path(__file__).resolve().parents[3] / "static" / "js"
SOURCES = {
    "entry.js": '// The entry.\nimport "./far.js";\nimport "./near.js";\n',
    "near.js": "const mine = 1;\nexport const near = () => mine;\nexport async function ask(address) {\n  return address;\n}\n",
    "far.js": 'import { ask as question, near } from "./near.js";\nconst mine = 2;\nquestion(near() + mine);\n',
    "page.js": 'import { near } from "./near.js";\nimport "./other.js";\nnear();\n',
    "other.js": "export function other() {}\n",
}


def test_modules_come_after_what_they_need() -> None:
    assert modules_of(SOURCES, "entry.js") == ["near.js", "far.js", "entry.js"]


def test_each_is_a_function_of_its_own_that_gives_what_it_exported() -> None:
    text = bundle(SOURCES, "entry.js")
    assert "const { ask: question, near } = module_near;" in text
    assert "return { near, ask };\n})();" in text
    assert text.index("const module_near") < text.index("const module_far")
    assert text.endswith("export { module_near };\n")
    assert "import" not in text
    assert "// The entry" not in text


def test_a_pages_own_script_takes_what_is_bundled_from_there() -> None:
    text = against_bundle(SOURCES["page.js"], frozenset({"near.js", "entry.js"}), "entry.js")
    assert 'import { module_near } from "./entry.js";\nconst { near } = module_near;' in text
    assert 'import "./other.js";' in text


@pytest.mark.parametrize(
    "source",
    ["export let count = 0;\n", "export default 1;\n", 'import all from "./near.js";\n', "export { near };\n"],
)
def test_what_cannot_be_put_together_is_named(source: str) -> None:
    with pytest.raises(NotBundled, match=r"strange\.js"):
        bundle({**SOURCES, "strange.js": source}, "strange.js")


def test_what_is_not_there_and_a_circle_are_named() -> None:
    with pytest.raises(NotBundled, match="missing"):
        modules_of({"a.js": 'import "./missing.js";\n'}, "a.js")
    with pytest.raises(NotBundled, match="itself"):
        modules_of({"a.js": 'import "./b.js";\n', "b.js": 'import "./a.js";\n'}, "a.js")


def test_ours_can_be_put_together() -> None:
    sources = {file.name: file.read_text() for file in FOLDER.glob("*.js")}
    text = bundle(sources, "countersign.js")
    bundled = modules_of(sources, "countersign.js")
    assert len(bundled) > 15
    assert all(text.count(f"const module_{name.removesuffix('.js').replace('-', '_')} = ") == 1 for name in bundled)
    assert len(text) < sum(len(sources[name]) for name in bundled)
