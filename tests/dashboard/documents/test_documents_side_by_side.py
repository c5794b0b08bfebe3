"""Two bills with the same file at a real service: the payments stand beside each other, each with its document."""

from __future__ import annotations

import io
import re

from PIL import Image

from dashboard.documents.limits import THUMBNAIL
from dashboard.money import text
from tests.dashboard.conftest import World
from tests.dashboard.documents import papers, real
from tests.dashboard.markup import markup_of


def test_the_document_of_the_other_payment_is_shown_beside_ones_own(world: World) -> None:
    content = papers.pdf(["Sent in twice", ("Total", "KES 1,284.00")])
    first, again = real.bill_payment(world, content), real.bill_payment(world, content, amount=2_568)
    browser = world.client("Apollo")
    body = markup_of(browser.get(world.address(f"approvals/payment/{again.remote_id}/")))
    beside = body.partition("<h2>Possible duplicate</h2>")[2].partition("</table>")[0]
    assert f'href="{world.address(f"approvals/payment/{first.remote_id}/")}"' in beside
    for amount in (first.amount_minor, again.amount_minor):
        assert text(amount or 0, first.currency) in beside
    thumbnails = re.findall(r'<img src="([^"]+)"', beside)
    assert [address.split("/payment/")[1].split("/")[0] for address in thumbnails] == [again.remote_id, first.remote_id]
    for address in thumbnails:
        picture = Image.open(io.BytesIO(browser.get(address).content))
        assert (picture.format, picture.width) == ("WEBP", THUMBNAIL)
