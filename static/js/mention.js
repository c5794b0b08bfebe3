// Whom one calls with @: those who may see the item, offered while one types; Arrow keys choose, Enter or Tab takes, Escape leaves.
import { isolated } from "./bidi.js";
import { ask } from "./door.js";

let box = null;
let lastTurn = 0;

const field = (target) => (target.matches?.("textarea[data-people]") ? target : null);
const typed = (area) => /(?:^|[^\w.@+-])@([^@\n]{0,40})$/.exec(area.value.slice(0, area.selectionStart));

function close() {
  box?.area.removeAttribute("aria-activedescendant");
  box?.area.removeAttribute("aria-controls");
  box?.list.remove();
  box = null;
}

function mark(at) {
  const options = [...box.list.children];
  box.at = (at + options.length) % options.length;
  options.forEach((option, place) => option.setAttribute("aria-selected", String(place === box.at)));
  box.area.setAttribute("aria-activedescendant", options[box.at].id);
  options[box.at].scrollIntoView({ block: "nearest" });
}

function take(name) {
  const { area } = box;
  const begin = area.selectionStart - typed(area)[1].length;
  area.setRangeText(`${name} `, begin, area.selectionStart, "end");
  close();
  area.focus();
}

function open(area, people) {
  close();
  if (!people.length) return;
  const list = document.createElement("ul");
  list.className = "drop people";
  list.id = "people";
  list.setAttribute("role", "listbox");
  list.setAttribute("aria-label", "People with access to this");
  people.forEach((person, place) => {
    const option = document.createElement("li");
    option.id = `person-${place}`;
    option.setAttribute("role", "option");
    option.textContent = `${isolated(person.name)} · ${person.role}`;
    option.dataset.name = person.name;
    list.append(option);
  });
  area.after(list);
  area.setAttribute("aria-controls", "people");
  box = { area, list, at: 0 };
  mark(0);
}

document.addEventListener("input", async (event) => {
  const area = field(event.target);
  if (!area) return;
  // What was asked before is out of date now, even where nothing is asked for any more.
  const turn = ++lastTurn, mention = typed(area);
  if (!mention) return close();
  try {
    const answer = await ask(`${area.dataset.people}?q=${encodeURIComponent(mention[1])}`);
    if (turn === lastTurn && answer.status === 200) open(area, (await answer.json()).people);
  } catch {
    close();
  }
});

document.addEventListener("keydown", (event) => {
  if (!box || event.target !== box.area) return;
  const act = {
    ArrowDown: () => mark(box.at + 1),
    ArrowUp: () => mark(box.at - 1),
    Enter: () => take(box.list.children[box.at].dataset.name),
    Tab: () => take(box.list.children[box.at].dataset.name),
    Escape: close,
  }[event.key];
  if (!act) return;
  event.preventDefault();
  event.stopImmediatePropagation();
  act();
}, true);

document.addEventListener("mousedown", (event) => {
  const option = box && event.target.closest("#people [role=option]");
  if (option) {
    event.preventDefault();
    take(option.dataset.name);
  } else close();
});
