"""The live status of a payout on its way: each poll asks the service once, without the payments, and answers little."""

from dashboard.mirror.models import ApprovalRequest
from tests.dashboard.conftest import World
from tests.dashboard.payouts.test_payouts import GRACE, make, only, post, table

MOST_BYTES = 5_000


def initiated(world: World, payments: int) -> ApprovalRequest:
    """A payout of so many payments that was initiated, as the copy has it."""
    rows = [GRACE.replace("0712 345 678", f"0712 {number:06}") for number in range(payments)]
    assert make(world, table(*rows)).status_code == 302
    assert post(world, "Ada", f"{only(world).remote_id}/initiate").status_code == 302
    return only(world)


def test_a_poll_is_one_question_and_its_answer_is_small_however_many_payments_there_are(proxied_world: World) -> None:
    world = proxied_world
    row = initiated(world, 300)
    assert world.proxy is not None
    browser = world.client("Ada")
    address = world.address(f"payouts/{row.remote_id}/progress/")
    browser.get(address, headers={"HX-Request": "true"})
    before = len(world.proxy.sent("GET", "/payments"))
    answer = browser.get(address, headers={"HX-Request": "true"})
    asked = world.proxy.sent("GET", "/payments")[before:]
    assert len(asked) == 1
    assert "batch_no" not in asked[0].path
    assert answer.status_code == 200
    assert len(answer.content) <= MOST_BYTES
    assert "300" in answer.content.decode()
