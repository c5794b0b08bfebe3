"""What a public function is given has a name: which parameters are a dictionary that says nothing of its keys, and why.

What comes out of a function is looked at in test_shapes.py.
"""

import ast
from collections.abc import Mapping

import pytest

from tests.house.sources import name_of, python_files, tree_of
from tests.house.test_shapes import ANY_JSON, HANDED_ON, functions_in, imported_aliases, is_at, is_unshaped

DJANGOS, NINJAS, ALLAUTHS = "The signature is Django's.", "The signature is ninja's.", "The signature is allauth's."
OPENAPI = "A document of OpenAPI has the shape of its own standard."
CARRIED = "The body of any operation, which its own schema checks before it is sent."
MAPPED = "As the service answered it: the mapper of the kind reads its fields, whatever lies under them."
ANY_PAGE = "What the template of any page reads, as the page's presenter declares it."
ANY_AREA = "A resource of any area as that shows it, or the fields of it that changed."
# The parameters of public functions that are such dictionaries, each with the reason: elsewhere a command takes the
# TypedDict that its form fills, a presenter the row, and a change its ChangedFields.
PARAMETERS = {
    "dashboard/access/operation.py::named_operations(table)": "The globals of a module hold anything: of them the operations.",
    "dashboard/audit/naming.py::named_in(body)": CARRIED,
    "dashboard/client/call_parts.py::call_content(body)": CARRIED,
    "dashboard/client/gateway.py::prepare(body)": CARRIED,
    "dashboard/client/gateway.py::send(body)": CARRIED,
    "dashboard/client/outbox.py::open_outbound(body)": CARRIED,
    "dashboard/client/page.py::typed(rows)": "The rows of any list, of which the model then reads its fields.",
    "dashboard/client/reads.py::read_live(body)": CARRIED,
    "dashboard/commands/run.py::run(body)": CARRIED,
    "dashboard/commands/run.py::write_through(resource)": MAPPED,
    "dashboard/decisions/registry.py::with_id(payload)": HANDED_ON,
    "dashboard/impact/wallet_policy_terms.py::Terms.of_payload(payload)": "A line of the audit may hold any policy: what cannot be read is no terms.",
    "dashboard/lists/columns.py::Column.cell(row)": "A row of the columns that its reader has chosen.",
    "dashboard/lists/tagging.py::tags_text(row)": "A row of the columns that its reader has chosen.",
    "dashboard/lists/view.py::list_page(area_context)": ANY_PAGE,
    "dashboard/lists/view.py::totals_part(area_context)": ANY_PAGE,
    "dashboard/mirror/": MAPPED,
    "dashboard/web/people_field.py::PeopleInput.render(attrs)": DJANGOS,
    "dashboard/web/people_field.py::PeopleInput.value_from_datadict(data)": DJANGOS,
    "dashboard/web/people_field.py::PeopleInput.value_omitted_from_data(data)": DJANGOS,
    "dashboard/web/person_field.py::PersonInput.get_context(attrs)": DJANGOS,
    "dashboard/web/person_field.py::PersonInput.render(attrs)": DJANGOS,
    "dashboard/web/redis_cache.py::SharedClientRedisCache.__init__(params)": DJANGOS,
    "dashboard/web/respond.py::page(context)": ANY_PAGE,
    "dashboard/web/signin/providers.py::Providers.on_authentication_error(extra_context)": ALLAUTHS,
    "service/api.py::ServiceAPI.get_openapi_schema(path_params)": NINJAS,
    "service/business_policies/serializers.py::evaluation(stored)": HANDED_ON,
    "service/documentation.py::extend(extra)": OPENAPI,
    "service/events/audit.py::audit_statement(after)": ANY_AREA,
    "service/events/audit.py::audit_statement(before)": ANY_AREA,
    "service/events/audit.py::build_line(after)": ANY_AREA,
    "service/events/audit.py::build_line(before)": ANY_AREA,
    "service/events/audit.py::record_audit(after)": ANY_AREA,
    "service/events/audit.py::record_audit(before)": ANY_AREA,
    "service/events/outbox.py::build_event(obj)": ANY_AREA,
    "service/events/outbox.py::build_event(previous)": ANY_AREA,
    "service/events/outbox.py::event_object(obj)": ANY_AREA,
    "service/events/outbox.py::event_statement(obj)": ANY_AREA,
    "service/events/outbox.py::event_statement(previous)": ANY_AREA,
    "service/events/outbox.py::plain(data)": ANY_JSON,
    "service/events/outbox.py::record_event(obj)": ANY_AREA,
    "service/events/outbox.py::record_event(previous)": ANY_AREA,
    "service/openapi/": OPENAPI,
    "service/publishing/management/commands/export_openapi.py::written(document)": OPENAPI,
}


def unshaped_aliases(tree: ast.Module) -> set[str]:
    """The names that a module gives to such a dictionary: `Payload = Mapping[str, Any]`; the bound of a TypeVar is none."""
    found = set()
    for node in tree.body:
        match node:
            case ast.Assign(value=ast.Call()):
                continue
            case ast.Assign(targets=[ast.Name(id=name)], value=value) if is_unshaped(value):
                found.add(name)
            case ast.AnnAssign(target=ast.Name(id=name), value=ast.expr() as value) if is_unshaped(value):
                found.add(name)
    return found


def unshaped_parameters(files: Mapping[str, ast.Module]) -> set[str]:
    """The parameters of public functions that are such a dictionary or hold one, as "file::function(parameter)".

    `files` are those of a program by their paths: what one module calls Payload, another one imports.
    """
    modules = {path.removesuffix(".py").removesuffix("/__init__").replace("/", "."): path for path in files}
    aliases = {module: unshaped_aliases(files[path]) for module, path in modules.items()}
    return {
        f"{path}::{name}({argument.arg})"
        for module, path in modules.items()
        for known in [aliases[module] | imported_aliases(files[path], aliases)]
        for name, function in functions_in(files[path].body)
        for argument in [*function.args.posonlyargs, *function.args.args, *function.args.kwonlyargs]
        if is_unshaped(argument.annotation, known)
    }


def test_what_a_public_function_is_given_says_its_shape() -> None:
    given = unshaped_parameters({name_of(file): tree_of(file) for file in python_files("dashboard", "service")})
    assert {place for place in given if not any(is_at(place, exempt) for exempt in PARAMETERS)} == set()
    assert {exempt for exempt in PARAMETERS if not any(is_at(place, exempt) for place in given)} == set()


@pytest.mark.parametrize(
    "annotation",
    ["Mapping[str, Any]", "list[Mapping[str, object]] | None", "dict[str, object]", "Iterator[JsonObject]"],
)
def test_a_parameter_by_another_spelling_is_found(annotation: str) -> None:
    tree = ast.parse(f"class Row:\n    def body(self, *, of: {annotation}) -> None: ...")
    assert unshaped_parameters({"a/b.py": tree}) == {"a/b.py::Row.body(of)"}


@pytest.mark.parametrize(
    "text",
    [
        "Row = Mapping[str, Any]\ndef read(row: Row) -> None: ...",
        "Row: TypeAlias = JsonObject | None\ndef read(row: list[Row]) -> None: ...",
        "from a.shapes import Payload as Row\ndef read(*, row: Row) -> None: ...",
    ],
)
def test_a_shapeless_parameter_under_a_name_of_its_own_is_found(text: str) -> None:
    shapes = ast.parse("Payload = Mapping[str, Any]")
    files = {"a/shapes.py": shapes, "a/b.py": ast.parse(text)}
    assert unshaped_parameters(files) == {"a/b.py::read(row)"}
    assert unshaped_parameters({"a/b.py": ast.parse("def read(row: Mapping[str, str]) -> None: ...")}) == set()
