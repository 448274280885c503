/**
 * Scrolls a row of links or tabs sideways to its selected one. `scrollIntoView` would also move the place
 * where the next Tab begins, past everything before the row.
 */
export function scrollToSelected(row: HTMLElement | null, selected: string): void {
  const item = row?.querySelector(selected)?.getBoundingClientRect();
  if (row && item) {
    const { left, width } = row.getBoundingClientRect();
    row.scrollLeft += item.left + item.width / 2 - left - width / 2;
  }
}
