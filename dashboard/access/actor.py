"""Who is acting, for which business: a person at a page, a job on somebody's behalf, or the mirror reading."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import cast

from django.conf import settings
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect
from django.http.response import HttpResponseBase
from django.urls import reverse
from django.utils.http import urlencode

from dashboard.access.addresses import page_to_return_to
from dashboard.access.converters import AddressParts
from dashboard.access.models import Business, Membership, User
from dashboard.access.roles import Role, lesser_of, role_at_service
from dashboard.access.standing import StandIn, Standing, standing_of
from dashboard.errors import NotAllowed


@dataclass(frozen=True)
class Actor:
    """Someone acting in one business.

    `role` is the one that counts: the lesser of the membership's and the one that the finance service says they have;
    where the two differ `roles_held` names both, and only what both open is open. `teams` are all teams they review now, `read_only_teams` those of them where they only look. `grants` are
    permissions given on one row, as (permission, the id of the row). `stands_in_for` and `stood_in_by` are delegations
    that hold now: work that was handed over, never a right; `absences` those that hand it to nobody. `opens_with` names the saved view of each list that opens
    with one.
    `reads_only` marks a job that may read everything and change nothing. `program` names what acts where no person does;
    `issued_by` is the membership that let it in, in whose name it proposes and begins jobs: it is not that person.
    """

    user: User | None
    business: Business
    role: Role
    employee_id: str = ""
    teams: frozenset[str] = frozenset()
    read_only_teams: frozenset[str] = frozenset()
    membership_id: int | None = None
    session_key: str = ""
    grants: frozenset[tuple[str, str]] = field(default=frozenset())
    stands_in_for: tuple[StandIn, ...] = ()
    stood_in_by: tuple[StandIn, ...] = ()
    absences: tuple[StandIn, ...] = ()
    opens_with: Mapping[str, int] = field(default_factory=dict, compare=False)
    reads_only: bool = False
    member_role: Role | None = None
    service_role: Role | None = None
    program: str = ""
    issued_by: int | None = None

    @property
    def roles_held(self) -> frozenset[Role]:
        """All roles that must open something before it is open."""
        return frozenset({self.member_role or self.role, self.service_role or self.member_role or self.role})

    @property
    def roles_differ(self) -> bool:
        """Whether the role at the finance service is another one than the membership's."""
        return len(self.roles_held) > 1

    @property
    def name(self) -> str:
        """The full name of the person; for a job the name of its program, "Countersign" where it has none."""
        return self.user.get_full_name() if self.user else self.program or "Countersign"

    @property
    def member_id(self) -> int:
        """The membership's id, of a program that of whoever let it in; NotAllowed for a job that is nobody's: it decides nothing."""
        member_id = self.issued_by if self.membership_id is None else self.membership_id
        if member_id is None:
            raise NotAllowed("Only a member of the business decides.")
        return member_id

    @classmethod
    def for_membership(cls, membership: Membership, *, session_key: str = "", fresh: bool = False) -> "Actor":
        """The person of a membership, as they stand now (teams and suspension are at most 60 s old, or fresh).

        NotAllowed where the membership has ended or the employee is suspended.
        """
        _refuse_ended(membership)
        return cls.standing_as(
            membership,
            standing_of(membership.business_id, membership.employee_id, fresh=fresh),
            session_key=session_key,
        )

    @classmethod
    def standing_as(cls, membership: Membership, standing: Standing, *, session_key: str = "") -> "Actor":
        """The person of a membership with a standing that was read already, as for many at once; NotAllowed as
        `for_membership`."""
        _refuse_ended(membership)
        if standing.suspended:
            raise NotAllowed(f"You are suspended at {membership.business}.")
        member_role = Role(membership.role)
        service_role = role_at_service(standing.service_role, reviews=bool(standing.teams))
        return cls(
            user=membership.user,
            business=membership.business,
            role=lesser_of(member_role, service_role) if service_role else member_role,
            member_role=member_role,
            service_role=service_role,
            employee_id=membership.employee_id,
            teams=standing.teams,
            read_only_teams=standing.read_only_teams,
            membership_id=membership.pk,
            session_key=session_key,
            grants=standing.grants,
            stands_in_for=standing.stands_in_for,
            stood_in_by=standing.stood_in_by,
            absences=standing.absences,
            opens_with=membership.opens_with,
        )

    @classmethod
    def as_recorded(cls, membership: Membership) -> "Actor":
        """The person of a membership as an actor for audit lines about what they did; without any right to act."""
        return cls(
            user=membership.user,
            business=membership.business,
            role=Role(membership.role),
            employee_id=membership.employee_id,
            membership_id=membership.pk,
            reads_only=True,
        )

    @classmethod
    def for_program(cls, business: Business, program: str, *, set_up_by: int | None) -> "Actor":
        """A program that members have set up to say who belongs to the business: an actor for audit lines and proposals,
        without any right at the finance service. `set_up_by` is the membership in whose name it proposes."""
        return cls(
            user=None,
            business=business,
            role=Role.SUPER_ADMIN,
            membership_id=set_up_by,
            reads_only=True,
            program=program,
        )

    @classmethod
    def for_token(cls, business: Business, program: str, *, issued_by: int) -> "Actor":
        """A program that acts by a token of the business: with a super admin's rights, which end with the token and not
        with whoever has issued it."""
        return cls(user=None, business=business, role=Role.SUPER_ADMIN, program=program, issued_by=issued_by)

    @classmethod
    def reader_for(cls, business: Business) -> "Actor":
        """The mirror's own actor: it reads all rows of one business and may change nothing."""
        return cls(user=None, business=business, role=Role.SUPER_ADMIN, reads_only=True)


def _refuse_ended(membership: Membership) -> None:
    if not membership.is_active or not membership.user.is_active:
        raise NotAllowed("Your access to this business has ended.")


class ActorRequest(HttpRequest):
    """A request inside a business, for type annotations: the middleware has set who is acting."""

    actor: Actor


class ActorMiddleware:
    """Sets `request.actor` from the address `/<business>/…`: 404 for strangers, the sign-in page for nobody."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        request.actor = None  # type: ignore[attr-defined]
        return self.get_response(request)

    def process_view(
        self, request: HttpRequest, view: Callable[..., object], args: object, kwargs: AddressParts
    ) -> HttpResponseBase | None:
        """Before every view: an address of a business belongs to its members."""
        slug = kwargs.get("business")
        if slug is None:
            return None
        if not request.user.is_authenticated:
            return to_sign_in(request)
        request.actor = actor_at(request, str(slug))  # type: ignore[attr-defined]
        return None


def to_sign_in(request: HttpRequest, why: str = "") -> HttpResponse:
    """The sign-in page, then back to a page that can be shown.

    A swap or a script gets 401, which the page turns into a full navigation to the address in `HX-Redirect`
    (static/js/door.js). `why` is the reason that the sign-in page shows: "expired" after too long a pause; else
    the page shows that the session has ended where there was one.
    """
    swaps = request.headers.get("HX-Request") == "true"
    had_session = swaps or settings.SESSION_COOKIE_NAME in request.COOKIES
    cause = why or ("ended" if had_session else "")
    query = ({cause: 1} if cause else {}) | {"next": page_to_return_to(request)}
    address = f"{reverse('account_login')}?{urlencode(query)}"
    if swaps:
        return HttpResponse(status=401, headers={"HX-Redirect": address})
    return HttpResponseRedirect(address)


def actor_at(request: HttpRequest, slug: str) -> Actor:
    """The signed-in person as a member of this business; Http404 where they are none."""
    membership = (
        Membership.objects.select_related("business")
        .filter(user_id=cast(int, request.user.pk), business__slug=slug, is_active=True)
        .first()
    )
    if membership is None:
        raise Http404("no such business for this person")
    # The request has read the person already: not twice.
    membership.user = cast(User, request.user)
    return Actor.for_membership(membership, session_key=request.session.session_key or "")
