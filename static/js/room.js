// Whether the list and the item of a desk stand beside each other: the stylesheet has them so where the page has room for both.
let beside = false;
export const standBeside = () => beside;

// Hears of the room when the desk has been laid out, so that nothing is laid out for it. Calls back where it has room for both
// from the start.
export function watchRoom(both) {
  const desk = document.getElementById("desk");
  let first = true;
  new ResizeObserver(() => {
    beside = getComputedStyle(desk).display === "grid";
    if (first && beside) both();
    first = false;
  }).observe(desk);
}
