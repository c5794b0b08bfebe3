// The head of a group ticks its rows on this page; a row that is taken out again takes its group's tick with it.
function rowsOf(head) {
  const boxes = [];
  for (let row = head.nextElementSibling; row && !row.matches(".group"); row = row.nextElementSibling) {
    boxes.push(row.querySelector('[name="ids"]'));
  }
  return boxes.filter(Boolean);
}

function headOf(row) {
  let head = row;
  while (head && !head.matches(".group")) head = head.previousElementSibling;
  return head?.querySelector('[name="groups"]');
}

document.addEventListener("change", (event) => {
  if (event.target.matches('[name="groups"]')) {
    const boxes = rowsOf(event.target.closest("tr"));
    for (const box of boxes) box.checked = event.target.checked;
    // Counted as the rows of a list are.
    boxes[0]?.dispatchEvent(new Event("change", { bubbles: true }));
  } else if (event.target.matches('[name="ids"]') && !event.target.checked) {
    const head = headOf(event.target.closest("tr"));
    if (head) head.checked = false;
  } else if (event.target.matches("[data-select-all], [data-all-matching]") && !event.target.checked) {
    for (const box of document.querySelectorAll('[name="groups"]')) box.checked = false;
  }
});
