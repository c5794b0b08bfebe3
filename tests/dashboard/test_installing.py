"""Countersign on a phone's home screen: the manifest, its icons as the mark draws them, and every page leading there."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import pytest
from django.contrib.staticfiles import finders
from django.core.management import call_command
from django.templatetags.static import static
from django.test import Client
from PIL import Image, ImageChops

from dashboard.web import icons
from dashboard.web.icons import APPLE, FOLDER, ICONS, MARK, Icon, draw
from tests.dashboard.conftest import World

# Other releases of Pillow may round the edge of a line differently; another drawing differs by far more.
ROUNDED = 40


@pytest.mark.django_db
def test_anybody_gets_the_manifest_and_it_names_nobody(new_world: Callable[..., World]) -> None:
    world = new_world()
    answer = Client().get("/-/manifest.webmanifest")
    assert (answer.status_code, answer["Content-Type"]) == (200, "application/manifest+json")
    manifest = answer.json()
    assert (manifest["display"], manifest["start_url"], manifest["scope"]) == ("standalone", "/", "/")
    assert manifest["name"] == "Countersign"
    assert world.business.slug not in answer.content.decode()
    assert answer.content == world.client("Apollo").get("/-/manifest.webmanifest").content
    # What Chromium asks for before it offers to install: both sizes, for any purpose.
    assert {icon["sizes"] for icon in manifest["icons"] if icon["purpose"] == "any"} == {"192x192", "512x512"}
    assert "maskable" in {icon["purpose"] for icon in manifest["icons"]}


def test_the_manifest_lists_the_files_that_are_there() -> None:
    for icon in (*ICONS, APPLE):
        assert finders.find(f"icons/{icon.file}") == str(FOLDER / icon.file)
        with Image.open(FOLDER / icon.file) as picture:
            assert (picture.format, picture.size) == ("PNG", (icon.pixels, icon.pixels))
    assert {file.name for file in FOLDER.iterdir()} == {icon.file for icon in (*ICONS, APPLE)}


@pytest.mark.parametrize("icon", [*ICONS, APPLE], ids=lambda icon: icon.file)
def test_the_icons_are_what_the_mark_draws(icon: Icon) -> None:
    with Image.open(FOLDER / icon.file) as picture:
        difference = ImageChops.difference(picture.convert("RGBA"), draw(icon))
    assert all(most <= ROUNDED for _, most in difference.getextrema())


def test_what_fills_its_square_has_no_corner_left_out() -> None:
    for icon in (*ICONS, APPLE):
        _, _, _, opacity = draw(icon).getpixel((0, 0))
        assert opacity == (255 if icon.fills else 0)


def test_the_icons_are_written_from_the_mark(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("dashboard.web.management.commands.write_icons.FOLDER", tmp_path)
    call_command("write_icons", verbosity=0)
    assert {file.name for file in tmp_path.iterdir()} == {icon.file for icon in (*ICONS, APPLE)}


def test_a_mark_of_another_drawing_is_not_guessed_at(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    other = tmp_path / "mark.svg"
    other.write_text(MARK.read_text().replace("<path", "<circle"))
    other.write_text(re.sub(r' d="M[^"]*"', "", other.read_text()))
    monkeypatch.setattr(icons, "MARK", other)
    with pytest.raises(ValueError, match="no longer a rounded square"):
        icons.read_mark()


@pytest.mark.django_db
def test_every_page_leads_to_the_manifest_signed_in_or_not(new_world: Callable[..., World]) -> None:
    world = new_world()
    for client, address in ((Client(), "/-/account/login/"), (world.client("Apollo"), f"/{world.business.slug}/")):
        page = client.get(address, follow=True).content.decode()
        assert '<link rel="manifest" href="/-/manifest.webmanifest">' in page
        assert f'<link rel="apple-touch-icon" href="{static("icons/apple-180.png")}">' in page
