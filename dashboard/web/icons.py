"""The icons of the installed app, drawn from the mark of every page (static/img/mark.svg) by `manage.py write_icons`."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from django.conf import settings

if TYPE_CHECKING:
    from PIL import Image

MARK = Path(settings.ROOT) / "static" / "img" / "mark.svg"
FOLDER = Path(settings.ROOT) / "static" / "icons"
# Drawn this many times larger and made smaller: Pillow draws without smooth edges.
FINER = 8
# A phone cuts an icon that fills its square to a shape of its own: the sign stands within the middle four fifths.
SAFE = 0.8


@dataclass(frozen=True)
class Icon:
    """A file of static/icons, so many pixels wide and high; one that `fills` its square has no rounded corners."""

    file: str
    pixels: int
    fills: bool = False


ICONS = (Icon("any-192.png", 192), Icon("any-512.png", 512), Icon("filling-512.png", 512, fills=True))
# iOS reads its icon from the page and rounds it itself.
APPLE = Icon("apple-180.png", 180, fills=True)


@dataclass(frozen=True)
class Mark:
    """The mark's drawing: a square of `size` units with rounded corners, and a tick of one line on it."""

    size: float
    radius: float
    ground: str
    tick: tuple[tuple[float, float], ...]
    width: float


def read_mark() -> Mark:
    """The drawing as mark.svg has it; ValueError where it is drawn in another way."""
    drawing = re.search(
        r'viewBox="0 0 ([\d.]+) [\d.]+".*?rx="([\d.]+)" fill="(#\w{6})".*? d="M([^"]+)".*?stroke-width="([\d.]+)"',
        MARK.read_text(encoding="utf-8"),
    )
    if drawing is None:
        raise ValueError("mark.svg is no longer a rounded square with one line on it: draw the icons in another way.")
    size, radius, ground, path, width = drawing.groups()
    (x, y), *steps = re.findall(r"(-?[\d.]+)[ ,]?(-?[\d.]+)", path)
    points = [(float(x), float(y))]
    for right, down in steps:
        points.append((points[-1][0] + float(right), points[-1][1] + float(down)))
    return Mark(float(size), float(radius), ground, tuple(points), float(width))


ACCENT = read_mark().ground


def draw(icon: Icon) -> Image.Image:
    """The picture of an icon, a square of as many pixels as it says."""
    from PIL import Image, ImageDraw

    mark, edge = read_mark(), icon.pixels * FINER
    picture = Image.new("RGBA", (edge, edge), mark.ground if icon.fills else "#00000000")
    pen = ImageDraw.Draw(picture)
    if not icon.fills:
        pen.rounded_rectangle((0, 0, edge - 1, edge - 1), mark.radius * edge / mark.size, fill=mark.ground)
    scale = edge / mark.size * (SAFE if icon.fills else 1)
    inset = (edge - mark.size * scale) / 2
    points = [(x * scale + inset, y * scale + inset) for x, y in mark.tick]
    half = mark.width * scale / 2
    pen.line(points, fill="#ffffff", width=round(2 * half), joint="curve")
    for x, y in (points[0], points[-1]):
        pen.ellipse((x - half, y - half, x + half, y + half), fill="#ffffff")
    return picture.resize((icon.pixels, icon.pixels), Image.Resampling.LANCZOS)
