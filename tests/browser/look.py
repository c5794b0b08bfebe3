"""What is wrong with the look of a page, found by measuring it: text that leaves its box or breaks inside a word, money that is
out of sight or out of line, a page that scrolls sideways."""

from __future__ import annotations

from playwright.sync_api import Page

# A run of letters and digits that no line may break; one within a longer token (an address of mail, an id) may be broken.
LONGEST_TOKEN = 22
LOOK = r"""(longest) => {
  const found = [];
  const name = (element) => element.localName + (element.className && element.className.trim ? "." + element.className.trim().split(/\s+/).join(".") : "");
  const say = (what, element, text) => found.push(`${what} in ${name(element)}: ${text.trim().slice(0, 60)}`);
  const page = document.documentElement;
  if (page.scrollWidth > innerWidth) found.push(`the page is ${page.scrollWidth} pixels wide in a window of ${innerWidth}`);

  const hidden = (element) => !element.checkVisibility({ opacityProperty: true, visibilityProperty: true, contentVisibilityAuto: true }) || element.closest(".sr, .skip, [hidden], svg, option, script, style, textarea, canvas");
  const range = document.createRange();
  const rects = (node, from, to) => { range.setStart(node, from); range.setEnd(node, to); return [...range.getClientRects()].filter((one) => one.width > 0); };
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    const text = node.data, element = node.parentElement;
    if (!text.trim() || hidden(element)) continue;
    const lines = rects(node, 0, text.length);
    if (!lines.length) continue;
    let block = element;
    while (getComputedStyle(block).display.startsWith("inline") && getComputedStyle(block).display === "inline") block = block.parentElement;
    const edge = block.getBoundingClientRect(), right = Math.max(...lines.map((one) => one.right)), left = Math.min(...lines.map((one) => one.left));
    const cut = getComputedStyle(block), shortened = cut.textOverflow === "ellipsis" && cut.overflowX !== "visible";
    if (!shortened && (right > edge.right + 1.5 || left < edge.left - 1.5)) say("text leaves its box", block, text);
    // Whatever cuts off what leaves it, and offers no way to scroll there.
    for (let around = block.parentElement; around && around !== document.body; around = around.parentElement) {
      const style = getComputedStyle(around), box = around.getBoundingClientRect();
      if (["auto", "scroll"].includes(style.overflowX)) break;
      if (["hidden", "clip"].includes(style.overflowX) && style.textOverflow !== "ellipsis" && right > box.right + 1.5) { say("text is cut off", around, text); break; }
    }
    for (const match of text.matchAll(/[\p{L}\p{N}][\p{L}\p{M}\p{N}.,'’]*[\p{L}\p{N}]/gu)) {
      const token = text.slice(0, match.index).match(/\S*$/)[0] + text.slice(match.index).match(/^\S*/)[0];
      if (token.length > longest) continue;
      const tops = rects(node, match.index, match.index + match[0].length).map((one) => Math.round(one.top));
      if (Math.max(...tops) - Math.min(...tops) > 4) say("a word is broken", block, match[0]);
    }
  }

  // A reference that stands alone in its cell: INV-2026-3076.
  for (const link of document.querySelectorAll("main :is(td, th), main :is(td, th) > :is(a, b, span)")) {
    const node = link.firstChild;
    if (link.childNodes.length !== 1 || node.nodeType !== Node.TEXT_NODE || hidden(link)) continue;
    const text = node.data.trim(), from = node.data.indexOf(text);
    if (text.length > longest || !/^[\p{L}\p{N}]+(?:[-/][\p{L}\p{N}]+)+$/u.test(text) || !/\d{3}/.test(text)) continue;
    if (new Set(rects(node, from, from + text.length).map((one) => Math.round(one.top))).size > 1) say("a reference is broken", link, text);
  }

  // What a field says within its own box: what to type there, or what was chosen; 20 pixels of a choice are its arrow.
  const ink = document.createElement("canvas").getContext("2d");
  for (const field of document.querySelectorAll("input[placeholder], select:not([multiple], [size])")) {
    const text = field.localName === "select" ? field.selectedOptions[0]?.text ?? "" : field.value ? "" : field.placeholder;
    if (!text || hidden(field)) continue;
    const style = getComputedStyle(field), arrow = field.localName === "select" ? 20 : 0;
    ink.font = `${style.fontWeight} ${style.fontSize} ${style.fontFamily}`;
    const room = field.clientWidth - parseFloat(style.paddingLeft) - parseFloat(style.paddingRight) - arrow;
    // An ellipsis says that there is more: of what was chosen, and of what to type where a narrow window has no more room.
    const shortened = style.textOverflow === "ellipsis" && (field.localName === "select" || innerWidth <= 640);
    if (ink.measureText(text).width > room + 1 && !shortened) say("the text of a field is cut off", field, text);
  }

  // Amounts of a column: where the whole units end is one place, but for what bold figures are wider.
  const amount = /^\s*(?:[A-Z]{3}[\s ])?[-−]?\d[\d,.\s  ]*$/;
  for (const table of document.querySelectorAll("table, ul")) {
    const columns = new Map();
    for (const cell of table.querySelectorAll(":is(td, span).num")) {
      if (hidden(cell) || cell.closest("table, ul") !== table || cell.querySelector(".num")) continue;
      const texts = document.createTreeWalker(cell, NodeFilter.SHOW_TEXT);
      let node = texts.nextNode();
      while (node && !node.data.trim()) node = texts.nextNode();
      if (!node || !amount.test(node.data)) continue;
      const written = node.data.trimEnd(), start = written.search(/[A-Z]{3}|[-−\d]/), code = /^[A-Z]{3}/.test(written.slice(start));
      if (!code) continue;
      const point = written.match(/\.\d+$/) ? written.lastIndexOf(".") : written.length;
      const drawn = rects(node, point - 1, point)[0];
      if (!drawn) continue;
      const box = cell.closest("td")?.getBoundingClientRect() ?? cell.getBoundingClientRect();
      if (drawn.right > box.right + 1) say("an amount leaves its cell", cell, written);
      const td = cell.closest("td"), before = td ? [...td.parentElement.cells].slice(0, td.cellIndex) : [];
      const key = td ? before.reduce((sum, one) => sum + one.colSpan, 0) : "listed", column = columns.get(key) ?? [];
      column.push([Math.round(drawn.right), written.trim()]);
      columns.set(key, column);
    }
    for (const column of columns.values()) {
      const places = column.map(([place]) => place);
      if (Math.max(...places) - Math.min(...places) > 4) {
        const other = column.find(([place]) => Math.abs(place - places[0]) > 4);
        say("amounts are out of line", table, `${column[0][1]} at ${column[0][0]}, ${other?.[1]} at ${other?.[0]}`);
      }
    }
  }

  // What a row comes to is in view without scrolling; on a wide window but for tables of many columns of money, as of months.
  for (const box of document.querySelectorAll("main .table, main .list")) {
    const around = box.getBoundingClientRect();
    for (const cell of box.querySelectorAll("tbody td.num:last-child")) {
      if (hidden(cell) || (innerWidth > 460 && cell.parentElement.querySelectorAll("td.num").length > 3)) continue;
      const at = cell.getBoundingClientRect();
      if (at.right > Math.min(around.right, innerWidth) + 1 || at.left < around.left - 1) { say("an amount is out of sight", cell, cell.textContent); break; }
    }
  }
  // So is, on a narrow one, what there is to press.
  for (const part of innerWidth <= 460 ? document.querySelectorAll("main .table :is(button, summary, select)") : []) {
    const around = part.closest(".table").getBoundingClientRect(), at = part.getBoundingClientRect();
    if (!hidden(part) && at.left > Math.min(around.right, innerWidth) - 8) say("what can be pressed is out of sight", part, part.textContent);
  }
  // What sticks to the end of a row lies over no figure before it; a table of many columns of money, as of months, is scrolled.
  for (const stuck of document.querySelectorAll("main td")) {
    if (hidden(stuck) || getComputedStyle(stuck).position !== "sticky" || stuck.parentElement.querySelectorAll("td.num").length > 3) continue;
    const over = stuck.getBoundingClientRect();
    for (const cell of stuck.parentElement.cells) {
      if (cell === stuck || hidden(cell) || !/\d/.test(cell.textContent)) continue;
      range.selectNodeContents(cell);
      if ([...range.getClientRects()].some((one) => one.width > 0 && one.right > over.left + 1 && one.left < over.right && one.bottom > over.top + 1 && one.top < over.bottom - 1)) { say("a figure is covered", cell, cell.textContent); break; }
    }
  }
  return [...new Set(found)];
}"""
# What of the sidebar is seen only after scrolling, by its text.
BELOW_THE_FOLD = """() => [...document.querySelectorAll('nav.side :is(a, button, summary)')]
  .filter((part) => part.checkVisibility() && !part.closest('.own-menu'))
  .filter((part) => {
    const box = part.getBoundingClientRect(), areas = document.querySelector('.areas').getBoundingClientRect();
    const floor = part.closest('.areas') ? areas.bottom : innerHeight;
    return box.bottom > floor + 1 || box.top < 0;
  })
  .map((part) => part.textContent.trim())"""


def faults_of(page: Page) -> list[str]:
    """What is wrong with the look of the page as it stands; nothing where all is well."""
    found: list[str] = page.evaluate(LOOK, LONGEST_TOKEN)
    return found
