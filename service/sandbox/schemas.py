"""What the interface says of a sandbox's demo."""

from ninja import Schema


class DemoProgressOut(Schema):
    """How many of the `months` before the running one are `made`; `whole` once all that the demo has is there."""

    months: int
    made: int
    whole: bool
