"""What goes in and out of a public function has a name: a dictionary of anything says neither which keys it has nor what
lies under them, and nobody learns that a key was renamed. A rule beside those of test_rules.py, which is long enough."""

import ast
from collections.abc import Iterator, Mapping, Set

import pytest

from tests.house.sources import name_of, python_files, tree_of

NAMELESS = "dict[str, Any]"
# A place is a function of a file, or a folder with all of its files. A place that needs it no more leaves the list.
EXEMPT = {
    "dashboard/web/redis_cache.py::SharedClientRedisCache.__init__": "The signature is Django's.",
    "dashboard/web/person_field.py::PersonInput.get_context": "The signature is Django's.",
    "dashboard/web/person_field.py::PersonInput.render": "The signature is Django's.",
    "dashboard/web/people_field.py::PeopleInput.render": "The signature is Django's.",
    "service/json_body.py::ExactParser.parse_querydict": "The signature is ninja's.",
    "service/openapi/": "A document of OpenAPI has the shape of its own standard, and is put together in place.",
}


# The same by another spelling: what comes out of a function by it says as little.
UNSHAPED = (NAMELESS, "Mapping[str, Any]", "dict[str, object]", "Mapping[str, object]")
UNSHAPED_ALIASES = {"JsonObject"}
# What hands on what it was given, and has no shape of its own to say.
HANDED_ON = "It hands on what it was given."
ANY_JSON = "Any JSON."
RETURNS = {
    "dashboard/bidi.py::isolated_value": HANDED_ON,
    "dashboard/cache.py::load": "Whatever was stored under the name.",
    "dashboard/cache.py::load_many": "Whatever was stored under the names.",
    "dashboard/client/json.py::read_json": ANY_JSON,
    "dashboard/client/json.py::read_untrusted_json": ANY_JSON,
    "dashboard/client/page.py::every_row": "The rows of any list, as the service answers them.",
    "dashboard/client/oauth.py::fetch_grant": "As the service said it: token.py believes none of it before it has looked.",
    "dashboard/decisions/registry.py::visible": "Rows of one of three classes; which, is the caller's to say.",
    "dashboard/decisions/registry.py::with_id": HANDED_ON,
    "dashboard/offboarding/outcome.py::nothing": "Each action of a step sends its own.",
    "dashboard/pages/conversation/selectors.py::talked_about": "A row of any kind that can be talked about.",
    "dashboard/proposals/models.py::Proposal.body_without_secrets": "Each kind of proposal has its own.",
    "dashboard/proposals/models.py::Proposal.required_body": "Each kind of proposal has its own.",
    "dashboard/schemas/base.py::RequestSchema.wire": "Each schema has its own.",
    "dashboard/scim/resources.py::group_resource": "A resource of SCIM's own schema.",
    "dashboard/scim/resources.py::provider_config": "A resource of SCIM's own schema.",
    "dashboard/scim/resources.py::resource_types": "A resource of SCIM's own schema.",
    "dashboard/scim/resources.py::schemas": "A resource of SCIM's own schema.",
    "dashboard/scim/resources.py::user_resource": "A resource of SCIM's own schema.",
    "dashboard/scim/selectors.py::scim_page": "A list of SCIM's own schema.",
    "dashboard/spreadsheet.py::rows_writer": "csv has no name for its writers.",
    "dashboard/web/change_steps.py::data_of": "What any form cleaned.",
    "dashboard/web/fields.py::AmountField.prepare_value": "The signature is Django's.",
    "dashboard/web/person_field.py::PersonField.prepare_value": "The signature is Django's.",
    "dashboard/web/person_field.py::PersonInput.get_context": "The signature is Django's.",
    "dashboard/web/redis_cache.py::SharedClient.get_client": "The signature is Django's.",
    "dashboard/web/signin/openid.py::OpenIdAdapter.openid_config": "The signature is allauth's.",
    "dashboard/web/templatetags/bidi_tags.py::bdi": HANDED_ON,
    "dashboard/web/templatetags/bidi_tags.py::fsi": HANDED_ON,
    "service/business_policies/serializers.py::evaluation": HANDED_ON,
    "service/businesses/secrets.py::RandomSecretHasher.safe_summary": "The signature is Django's.",
    "service/cards/issuance.py::stored_controls": "A Controls as JSON, without what stands at its default.",
    "service/events/outbox.py::event_object": HANDED_ON,
    "service/events/outbox.py::plain": ANY_JSON,
    "service/idempotency.py::canonical": ANY_JSON,
    "service/json_body.py::ExactParser.parse_body": "The signature is ninja's.",
    "service/json_body.py::ExactParser.parse_querydict": "The signature is ninja's.",
    "service/json_body.py::body_of": ANY_JSON,
    "service/json_body.py::load_json": ANY_JSON,
    "service/json_body.py::read": ANY_JSON,
    "service/ledger/invariants.py::Cursor.fetchmany": "The signature is the driver's.",
    "service/ledger/invariants.py::Cursor.fetchone": "The signature is the driver's.",
    "service/openapi/": "A document of OpenAPI has the shape of its own standard.",
    "service/spreadsheet.py::rows_writer": "csv has no name for its writers.",
}


def aliases_in(tree: ast.Module) -> set[str]:
    """The names that a module gives to a dictionary of anything, or to what holds one."""
    found = set()
    for node in tree.body:
        match node:
            case ast.Assign(targets=[ast.Name(id=name)], value=value) if NAMELESS in ast.unparse(value):
                found.add(name)
            case ast.AnnAssign(target=ast.Name(id=name), value=ast.expr() as value) if NAMELESS in ast.unparse(value):
                found.add(name)
    return found


def imported_aliases(tree: ast.Module, aliases: Mapping[str, Set[str]]) -> set[str]:
    """Those that a module imports, by the names that it knows them by; `aliases` are those of each module."""
    return {
        alias.asname or alias.name
        for node in tree.body
        if isinstance(node, ast.ImportFrom)
        for alias in node.names
        if alias.name in aliases.get(node.module or "", ())
    }


def functions_in(
    body: list[ast.stmt], within: str = ""
) -> Iterator[tuple[str, ast.FunctionDef | ast.AsyncFunctionDef]]:
    """The public functions of a module and the public methods of its public classes, by their dotted names."""
    for node in body:
        is_public = not getattr(node, "name", "_").startswith("_")
        if isinstance(node, ast.ClassDef) and is_public:
            yield from functions_in(node.body, f"{within}{node.name}.")
        elif isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) and (is_public or node.name.endswith("__")):
            yield f"{within}{node.name}", node


def is_nameless(function: ast.FunctionDef | ast.AsyncFunctionDef, aliases: Set[str]) -> bool:
    """Whether any parameter, or what is returned, is a dictionary of anything or holds one."""
    arguments = function.args
    given = [*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs, arguments.vararg, arguments.kwarg]
    annotations = [function.returns, *(argument.annotation for argument in given if argument)]
    return any(
        NAMELESS in ast.unparse(annotation)
        or any(isinstance(node, ast.Name) and node.id in aliases for node in ast.walk(annotation))
        for annotation in annotations
        if annotation is not None
    )


def nameless_places(files: Mapping[str, ast.Module]) -> set[str]:
    """The places of a program, given as its files by their paths. `clean` of a form has Django's signature."""
    modules = {path.removesuffix(".py").removesuffix("/__init__").replace("/", "."): path for path in files}
    aliases = {module: aliases_in(files[path]) for module, path in modules.items()}
    found = set()
    for module, path in modules.items():
        known = aliases[module] | imported_aliases(files[path], aliases)
        is_form = "forms" in module.split(".")
        for name, function in functions_in(files[path].body):
            if is_nameless(function, known) and not (is_form and name.endswith(".clean")):
                found.add(f"{path}::{name}")
    return found


def is_at(place: str, exempt: str) -> bool:
    return place.startswith(exempt) if exempt.endswith("/") else place == exempt


@pytest.fixture(scope="module")
def places() -> set[str]:
    return nameless_places({name_of(file): tree_of(file) for file in python_files("dashboard", "service")})


def test_what_a_public_function_is_given_and_returns_is_named(places: set[str]) -> None:
    assert {place for place in places if not any(is_at(place, exempt) for exempt in EXEMPT)} == set()


def test_no_exempt_place_is_left_that_needs_it_no_more(places: set[str]) -> None:
    assert {exempt for exempt in EXEMPT if not any(is_at(place, exempt) for place in places)} == set()


def is_unshaped(annotation: ast.expr | None, aliases: Set[str] = frozenset()) -> bool:
    """Whether it is, or holds, a dictionary that says nothing of its keys, by whichever spelling or alias of the module."""
    if annotation is None:
        return False
    spelled = ast.unparse(annotation)
    names = {node.id for node in ast.walk(annotation) if isinstance(node, ast.Name)}
    return any(nameless in spelled for nameless in UNSHAPED) or bool(names & (UNSHAPED_ALIASES | aliases))


def unshaped_returns(path: str, tree: ast.Module) -> set[str]:
    """The public functions of a file that return one, or anything at all. `clean` of a form has Django's signature."""
    is_form = "forms" in path.removesuffix(".py").split("/")
    return {
        f"{path}::{name}"
        for name, function in functions_in(tree.body)
        if is_unshaped(function.returns) or (function.returns and ast.unparse(function.returns) == "Any")
        if not (name.endswith(".clean") and (is_form or path == "dashboard/web/forms.py"))
    }


def test_what_a_public_function_returns_says_its_shape() -> None:
    returned: set[str] = set()
    for file in python_files("dashboard", "service"):
        returned |= unshaped_returns(name_of(file), tree_of(file))
    assert {place for place in returned if not any(is_at(place, exempt) for exempt in RETURNS)} == set()
    assert {exempt for exempt in RETURNS if not any(is_at(place, exempt) for place in returned)} == set()


@pytest.mark.parametrize(
    "annotation",
    ["Mapping[str, Any]", "list[Mapping[str, object]] | None", "dict[str, object]", "Any", "Iterator[JsonObject]"],
)
def test_a_shape_by_another_spelling_is_found(annotation: str) -> None:
    tree = ast.parse(f"class Row:\n    def body(self, *, of: {annotation}) -> {annotation}: ...")
    assert unshaped_returns("a/b.py", tree) == {"a/b.py::Row.body"}


@pytest.mark.parametrize(
    ("file", "text", "place"),
    [
        ("a/b.py", "def returns() -> dict[str, Any]: ...", "returns"),
        ("a/b.py", "def within() -> list[tuple[dict[str, Any], int]] | None: ...", "within"),
        ("a/b.py", "async def later(*, body: dict[str, Any] | None = None) -> None: ...", "later"),
        ("a/b.py", "def many(**rest: 'dict[str, Any]') -> None: ...", "many"),
        ("a/b.py", "class Form:\n    def body(self) -> dict[str, Any]: ...", "Form.body"),
        ("a/b.py", "class Form:\n    def __init__(self, values: dict[str, Any]) -> None: ...", "Form.__init__"),
        ("a/b.py", "class Form:\n    def clean(self) -> dict[str, Any]: ...", "Form.clean"),
        ("a/b.py", "Row = dict[str, Any]\ndef rows() -> list[Row]: ...", "rows"),
        ("a/b.py", "Row: TypeAlias = dict[str, Any]\ndef rows() -> list[Row]: ...", "rows"),
        ("a/b.py", "from a.shapes import Json as Row\ndef row() -> Row: ...", "row"),
    ],
)
def test_a_dictionary_of_anything_is_found(file: str, text: str, place: str) -> None:
    shapes = ast.parse("Json = dict[str, Any]")
    assert nameless_places({"a/shapes.py": shapes, file: ast.parse(text)}) == {f"{file}::{place}"}


@pytest.mark.parametrize(
    ("file", "text"),
    [
        ("a/b.py", "def _private() -> dict[str, Any]: ..."),
        ("a/b.py", "class _Private:\n    def body(self) -> dict[str, Any]: ..."),
        ("a/b.py", "class Shape(TypedDict):\n    name: str\ndef shape() -> Shape: ..."),
        ("a/b.py", "def names() -> dict[str, str]: ..."),
        ("a/b.py", "def inner() -> None:\n    found: dict[str, Any] = {}"),
        ("a/forms.py", "class Form:\n    def clean(self) -> dict[str, Any]: ..."),
        ("a/forms/new.py", "class Form:\n    def clean(self) -> dict[str, Any]: ..."),
    ],
)
def test_what_is_named_or_private_is_let_through(file: str, text: str) -> None:
    assert nameless_places({file: ast.parse(text)}) == set()
