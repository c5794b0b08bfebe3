"""The lines of a bill's form, and how each is split over teams."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from decimal import ROUND_HALF_UP, Decimal
from typing import TYPE_CHECKING, Any, TypedDict, cast

from django import forms
from django.http import QueryDict

from dashboard import inputs
from dashboard.inputs import LARGEST_MINOR, Choices, whole_number
from dashboard.money import exponent, text
from dashboard.schemas.bills import LineBody, NewSplit, SplitBody
from dashboard.web.fields import AmountField, LocaleForm, Name, TextLine, set_choices

# A line as it was typed: by its fields, and its shares by theirs.
TypedLine = Mapping[str, str | dict[str, str] | None]


class LineInitial(TypedDict, total=False):
    """What the form of a line begins with that is there already or was read from a file, by its fields."""

    description: str
    quantity: Decimal
    unit_price: Decimal
    tax_rate: Decimal | None
    subcategory: str
    split: dict[str, str]


# As many as the service takes.
MAX_LINES = 200
# A form of so many lines offers to split each; a longer one has the fields of a split for those alone that have one.
MAX_OFFERED_SPLITS = 20
# The fields of the shares are called line-0-split-team_0, line-0-split-share_0 and so on. The service takes as many.
SPLIT = "split"
MOST_SHARES = 8
PLACES = range(MOST_SHARES)


class SharesForm(LocaleForm):
    """The shares of teams in a line: beside each team per cent of the line, or an amount of it with its tax."""

    def __init__(self, *args: Any, teams: Choices, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        choices = [("", "–"), *teams]
        for place in PLACES:
            self.fields[f"team_{place}"] = forms.ChoiceField(choices=choices, required=False, label=f"Team {place + 1}")
            self.fields[f"share_{place}"] = TextLine(
                max_length=20, required=False, label=f"Share of team {place + 1}",
                help_text="60 % or an amount with its tax." if place == 0 else "",
            )  # fmt: skip

    @property
    def is_open(self) -> bool:
        """Whether there is something in it to see."""
        return bool(self.errors) or any(self[name].value() for name in self.fields)

    def clean(self) -> dict[str, Any]:
        """ValidationError for a share without its team or a team without its share, a team that is there twice, amounts beside
        percentages, and percentages that do not come to 100."""
        data = super().clean() or self.cleaned_data
        seen: set[str] = set()
        shares: list[tuple[int, NewSplit]] = []
        for place in PLACES:
            team, share = data.get(f"team_{place}", ""), data.get(f"share_{place}", "")
            if team and team in seen:
                self.add_error(f"team_{place}", "This team has a share of the line already.")
            elif team or share:
                shares += self._share(place, team, share)
            seen.add(team)
        if shares and not self.errors:
            self._check_kinds(shares)
        return {**data, "shares": shares}

    def _share(self, place: int, team: str, share: str) -> list[tuple[int, NewSplit]]:
        if not team or not share:
            self.add_error(f"share_{place}" if team else f"team_{place}", "A share has a team and a part of the line.")
            return []
        is_percent = share.endswith("%")
        try:
            number = inputs.amount(share.removesuffix("%").strip(), self.locale)
        except inputs.InputError as wrong:
            self.add_error(f"share_{place}", str(wrong))
            return []
        if number <= 0 or (is_percent and round(number, 2) != number):
            few = "A percentage has at most two decimals." if number > 0 else "It must be above zero."
            self.add_error(f"share_{place}", few)
            return []
        return [(place, NewSplit(team_id=team, **{"percent" if is_percent else "amount": number}))]

    def _check_kinds(self, shares: list[tuple[int, NewSplit]]) -> None:
        percentages = [split.percent for _, split in shares if split.percent is not None]
        last = f"share_{shares[-1][0]}"
        if 0 < len(percentages) < len(shares):
            self.add_error(last, "Enter all shares of a line in per cent, or all as amounts.")
        elif percentages and (total := sum(percentages, Decimal(0))) != 100:
            self.add_error(last, f"The percentages come to {total.normalize():f} %, not to 100 %.")

    def splits(self) -> list[SplitBody]:
        """The shares as they are sent."""
        return [cast(SplitBody, split.model_dump(exclude_none=True)) for _, split in self.cleaned_data["shares"]]

    def check_amounts(self, line_minor: int, currency: str) -> bool:
        """Whether amounts, where they are some, come to the line; else that stands at the last of them."""
        shares = self.cleaned_data["shares"]
        if not shares or shares[0][1].amount is None:
            return True
        try:
            total = sum(inputs.typed_minor(split.amount, currency) for _, split in shares)
        except inputs.InputError as wrong:
            self.add_error(f"share_{shares[-1][0]}", str(wrong))
            return False
        if total != line_minor:
            come, expected = (text(minor, currency, self.locale) for minor in (total, line_minor))
            self.add_error(f"share_{shares[-1][0]}", f"The shares come to {come}, the line with its tax to {expected}.")
        return total == line_minor


class LineForm(LocaleForm):
    """A line of a bill: quantity by unit price is its amount, and the tax comes on top. Left empty it is none."""

    description = Name(max_length=100)
    quantity = AmountField(max_digits=11, decimal_places=3, min_value=Decimal("0.001"), required=False)
    unit_price = AmountField(max_digits=15, decimal_places=4, min_value=0, label="Unit price")
    tax_rate = AmountField(max_digits=5, decimal_places=2, min_value=0, max_value=100, required=False, label="Tax, %")
    subcategory = forms.ChoiceField(required=False, label="Category")

    def __init__(self, *args: Any, categories: Choices, teams: Choices = (), **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        set_choices(self, "subcategory", [("", "As the bill"), *categories])
        prefix = f"{self.prefix}-{SPLIT}"
        self.shares: SharesForm | None = None
        self.is_split_requested = False
        if teams:
            initial = (self.initial or {}).get(SPLIT)
            self.shares = SharesForm(
                self.data if self.is_bound else None, initial=initial, prefix=prefix, locale=self.locale, teams=teams
            )

    def has_changed(self) -> bool:
        """Whether something of the line, or of its shares, was typed."""
        return super().has_changed() or (self.shares is not None and self.shares.has_changed())

    def is_valid(self) -> bool:
        """Whether the line and its shares are; what is wrong with a share stands there."""
        return super().is_valid() and (self.shares is None or self.shares.is_valid())

    def amount_minor(self, currency: str) -> int:
        """What the line comes to with its tax, as the service adds it up: each amount rounded half up by itself."""
        data = self.cleaned_data
        price = data["unit_price"].scaleb(exponent(currency))
        amount = ((data["quantity"] or 1) * price).quantize(Decimal(1), ROUND_HALF_UP)
        return int(amount + (amount * (data["tax_rate"] or 0) / 100).quantize(Decimal(1), ROUND_HALF_UP))

    def line(self) -> LineBody:
        """The line as it is sent, with a category and splits where there are some."""
        data = self.cleaned_data
        line: LineBody = {
            "description": data["description"],
            "qty": data["quantity"] or Decimal(1),
            "unit_price": data["unit_price"],
            "tax_rate": data["tax_rate"] or Decimal(0),
        }
        if data["subcategory"]:
            line["subcategory_id"] = data["subcategory"]
        if self.shares is not None and (splits := self.shares.splits()):
            line["splits"] = splits
        return line


if TYPE_CHECKING:
    LineFormSet = forms.BaseFormSet[LineForm]
else:
    LineFormSet = forms.BaseFormSet


class Lines(LineFormSet):
    """The lines of a bill, at least one of which is filled in."""

    def clean(self) -> None:
        """ValidationError where there is no line at all."""
        if not any(self.errors) and not self.filled:
            raise forms.ValidationError("Enter at least one line.", code="empty")

    @property
    def filled(self) -> list[LineForm]:
        """The lines that were filled in, in their order."""
        return [form for form in self.forms if form.has_changed()]

    def body(self) -> list[LineBody]:
        """The lines as they are sent."""
        return [form.line() for form in self.filled]

    def total_minor(self, currency: str) -> int:
        """What the lines come to with their tax."""
        return sum(form.amount_minor(currency) for form in self.filled)

    @property
    def offers_all_splits(self) -> bool:
        """Whether each line has the fields of its split on the page."""
        return len(self.forms) <= MAX_OFFERED_SPLITS

    def open_split(self, typed: str) -> None:
        """Puts the fields of a split on the page for the line of this number, from 1; nothing for any other text."""
        place = whole_number(typed, MAX_LINES) or 0
        for form in self.forms[place - 1 : place] if place else ():
            form.is_split_requested = True

    def check_shares(self, currency: str) -> bool:
        """Whether shares that were given as amounts come to their lines; what they lack stands beside those that do not."""
        checked = [
            form.shares.check_amounts(form.amount_minor(currency), currency) for form in self.filled if form.shares
        ]
        return all(checked)


def lines_of(
    data: QueryDict | None = None, *, initial: Sequence[LineInitial | TypedLine] = (), extra: int = 1,
    locale: str, categories: Choices, teams: Choices = (),
) -> Lines:  # fmt: skip
    """The lines of a form, bound to what was sent, or with `initial` ones and `extra` empty ones after them; with `teams` they
    can be split over these."""
    factory = forms.formset_factory(LineForm, formset=Lines, extra=extra, max_num=MAX_LINES, validate_max=True)
    options = {"locale": locale, "categories": categories, "teams": teams}
    lines: Lines = factory(data, initial=list(initial), prefix="line", form_kwargs=options)  # type: ignore[assignment]
    return lines


def typed_lines(sent: QueryDict) -> list[TypedLine]:
    """The lines as they were typed, to begin their forms with; at most MAX_LINES."""
    total = sent.get("line-TOTAL_FORMS", "")
    count = min(whole_number(total, LARGEST_MINOR) or 0, MAX_LINES)
    return [typed_line(sent, place) for place in range(count)]


def typed_line(sent: QueryDict, place: int) -> TypedLine:
    """A line as it was typed, to begin its form with."""
    names = (f"{kind}_{at}" for at in PLACES for kind in ("team", "share"))
    shares = {name: sent.get(f"line-{place}-{SPLIT}-{name}", "") for name in names}
    return {name: sent.get(f"line-{place}-{name}") for name in LineForm.base_fields} | {SPLIT: shares}
