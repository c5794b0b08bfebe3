"""The shape of a row of the operation table (dashboard/operations.py holds the table itself)."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from pydantic import BaseModel

from dashboard.access.roles import Role
from dashboard.schemas.base import RequestSchema


@dataclass(frozen=True)
class Rows:
    """Which rows of a business an operation reaches, once the role is right."""

    word: str
    # Roles that reach all rows although others reach only their own.
    all_for: frozenset[Role] = frozenset()

    def reaches_all(self, role: Role) -> bool:
        """Whether someone of this role reaches every row of the business."""
        if self.word == "scoped":
            return role not in {Role.CARD_USER, Role.REVIEWER}
        return self.word == "all" or role in self.all_for

    def __str__(self) -> str:
        names = " ".join(role for role in Role if role in self.all_for)
        return f"own; all for {names}" if names else self.word


ALL = Rows("all")
SCOPED = Rows("scoped")
OWN = Rows("own")


def OWN_UNLESS(roles: Iterable[Role]) -> Rows:  # noqa: N802 - stands in the table beside ALL, SCOPED and OWN
    """Their own rows, and all of them for these roles."""
    return Rows("own", frozenset(roles))


@dataclass(frozen=True, eq=False)
class Operation:
    """One operation of the interface: where it is, who may call it on what, and its sentence in the audit.

    `rule` is words of dashboard/access/rules.py, all of which must hold; `grant` a permission that opens it to someone
    without the role; `undo_s` the seconds a decision waits before it is sent (None: not a decision but an ordinary
    call); `audit_text` the audit sentence after the person's name, `{title}` being the title of its subject; `request_schema`
    and `response_schema` the typed shapes where they are known.
    """

    area: str
    method: str
    path: str
    roles: frozenset[Role]
    rows: Rows
    audit_text: str
    private_label: bool = False
    grant: str = ""
    rule: str = ""
    undo_s: int | None = None
    request_schema: type[RequestSchema] | None = None
    response_schema: type[BaseModel] | None = None
    name: str = field(default="", init=False)

    @property
    def rules(self) -> tuple[str, ...]:
        """The rules of `rule`, one by one."""
        return tuple(self.rule.split())

    @property
    def is_read(self) -> bool:
        """Whether it only reads: a GET, or one of the published reads that go by another verb."""
        return self.method == "GET" or f"{self.method} {self.path}" in READS_BY_ANOTHER_VERB

    @property
    def is_ours(self) -> bool:
        """False: the finance service decides, too, who may do an operation of its own."""
        return False

    @property
    def is_decision(self) -> bool:
        """Whether it goes through the outbox of decisions and never straight from a request."""
        return self.undo_s is not None

    def sentence(self, title: str) -> str:
        """What the audit says someone did: "approved expense Taxi to the airport"."""
        return self.audit_text.replace("{title}", title)

    def __str__(self) -> str:
        return self.name


# Odd verbs, kept as they are published: these change nothing.
READS_BY_ANOTHER_VERB = frozenset(
    {
        "POST /fx/conversion-rate",
        "POST /fx/historic-rate",
        "POST /subscriptions/amount-spent",
        "POST /wallet-policies/audit/query",
        "POST /permissions/employees/{employee_id}",
        "PUT /permissions/mandates",
        # Ours: asks everything of a purchase and changes nothing.
        "POST /cards/authorizations/try",
        # Ours: what importing a statement would do.
        "POST /accounting/bank-statements/check",
        # Ours: what payouts paid already.
        "POST /payments/duplicates",
    }
)


def named_operations(table: Mapping[str, object]) -> dict[str, Operation]:
    """The operations of a module (its `globals()`) by their names. Each is called what its constant is called, in small
    letters: one place to write it."""
    operations = {constant.lower(): row for constant, row in table.items() if isinstance(row, Operation)}
    for name, row in operations.items():
        row.__dict__["name"] = name
    return operations
