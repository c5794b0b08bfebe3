"""Every package that the programs are installed with is listed with its licence, and each lets it be used and passed on."""

from __future__ import annotations

import re

from tests.house.licences import PAGE, ROOT, licence_of, packages, rows_of

# As packages write them; qrcode's classifiers name the BSD licence and that of the MIT code in it. The LGPL asks that its library can be exchanged for another version, and pip does that.
FREE = re.compile(
    r"(MIT|BSD|Apache|ISC|MPL|Mozilla Public|PSF|Python Software Foundation|LGPL|Unlicense|Zlib|HPND|CMU)", re.I
)
# Under the GPL: it may be used, and whoever passes Countersign on together with it has to do so under the GPL, too. It is
# imported in dashboard/bank_statements/ofx.py alone, so that it can be left out.
DECIDED = {"ofxtools": "GPL-3.0-only"}


def test_the_page_lists_what_is_installed() -> None:
    listed = rows_of(PAGE.read_text())
    assert list(listed) == packages()
    installed = {name: licence for name in packages() if (licence := licence_of(name)) is not None}
    assert len(installed) > 50
    assert {name: licence for name, licence in installed.items() if listed[name] != licence} == {}


def test_each_may_be_used_and_passed_on() -> None:
    listed = rows_of(PAGE.read_text())
    assert {name: licence for name, licence in listed.items() if not FREE.search(licence)} == DECIDED


def test_what_is_under_the_gpl_is_imported_in_one_place() -> None:
    importers = [
        path.relative_to(ROOT).as_posix()
        for program in ("config", "dashboard", "service")
        for path in (ROOT / program).rglob("*.py")
        if re.search(r"^\s*(from|import) ofxtools\b", path.read_text(), re.M)
    ]
    assert importers == ["dashboard/bank_statements/ofx.py"]
