"""A field that names several people: checkboxes where few can be chosen; else those who are chosen, and lines to type more."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from django import forms
from django.utils.datastructures import MultiValueDict
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString

from dashboard.inputs import is_plain
from dashboard.web.person_field import MAX_TYPED, PersonChoices, PersonInput, named_as_of_now, text_of

# So many lines are empty to be typed into; the page has new ones once these are filled and sent.
EMPTY_LINES = 3


class PeopleInput(forms.Widget):
    """Those who are chosen as checkboxes, and lines whose suggestions the server fills while one types. All have one name."""

    def __init__(self, choices: PersonChoices) -> None:
        super().__init__()
        self.by_name = choices

    def value_from_datadict(self, data: Mapping[str, Any], files: Any, name: str) -> list[str]:
        """What is ticked and what was typed, without the empty lines."""
        values = data.getlist(name) if isinstance(data, MultiValueDict) else data.get(name) or []
        return [str(value).strip() for value in values if str(value).strip()]

    def value_omitted_from_data(self, data: Mapping[str, Any], files: Any, name: str) -> bool:
        """Never: without anybody, nothing may be sent at all."""
        return False

    def render(self, name: str, value: Any, attrs: dict[str, Any] | None = None, renderer: Any = None) -> SafeString:
        """The lines first, since the label is theirs; what names nobody stays in its line."""
        attrs = attrs or {}
        own_id = str(attrs.get("id") or name)
        chosen, typed = self._sorted(value or [])
        lines = [*typed, *[""] * EMPTY_LINES]
        line = PersonInput(self.by_name.address)
        inputs = format_html_join(
            "", "{}",
            (
                (line.render(name, text, attrs | {"id": own_id if not place else f"{own_id}_line{place}"}
                            | ({"aria-label": f"Another person, line {place + 1}"} if place else {}), renderer),)
                for place, text in enumerate(lines)
            ),
        )  # fmt: skip
        ticked = format_html_join(
            "",
            '<span class="field check"><input type="checkbox" name="{}" value="{}" id="{}" checked>'
            '<label for="{}"><bdi>{}</bdi></label></span>',
            (
                (name, employee_id, f"{own_id}_chosen{place}", f"{own_id}_chosen{place}", text)
                for place, (employee_id, text) in enumerate(chosen)
            ),
        )
        return format_html('<span class="stack tight">{}{}</span>', ticked, inputs)

    def _sorted(self, values: Sequence[str]) -> tuple[list[tuple[str, str]], list[str]]:
        """Whom the values name, each once, and what names nobody, or several."""
        known = self.by_name.people if self.by_name.known is None else self.by_name.known
        sound = [value for value in values if is_plain(value)]
        rows = known.filter(remote_id__in=sound) if sound else ()
        ids = {row.remote_id: named_as_of_now(row, text_of(row)) for row in rows}
        chosen: dict[str, str] = {}
        typed: list[str] = []
        for value in values:
            if value in ids:
                chosen[value] = ids[value]
                continue
            people = self.by_name.named(value[:MAX_TYPED]) if value in sound else []
            if len(people) == 1:
                chosen[people[0].remote_id] = text_of(people[0])
            else:
                typed.append(value)
        return list(chosen.items()), typed


class PeopleField(forms.MultipleChoiceField):
    """Several people, cleaned to their employee ids. `offer` gives it its choices before it is read or shown."""

    by_name: PersonChoices | None = None

    def offer(self, choices: PersonChoices) -> None:
        """Lists the people by name; where they are too many, they are typed."""
        if choices.few is not None:
            self.choices = [(row.remote_id, named_as_of_now(row, row.name)) for row in choices.few]
            return
        self.by_name = choices
        self.widget = PeopleInput(choices)
        self.widget.is_required = self.required

    def to_python(self, value: Any) -> list[str]:
        """The employee ids, each once; ValidationError for words that name nobody, or several."""
        named: list[str] = super().to_python(value)
        if self.by_name is None:
            return named
        return list(dict.fromkeys(self.by_name.id_of(text) for text in named))

    def valid_value(self, value: Any) -> bool:
        """Whether they are on the list; whoever was typed has been looked up already."""
        return self.by_name is not None or super().valid_value(value)
