// Tables that sort by a click, copy as TSV and save as CSV; long ones show a part until asked.
import { element, save } from './dom';
import { formatNumber } from './format';
import type { Cell, TableData } from './page_data';
import { cellNumber, sortedOrder, tableText } from './table_order';

const FIRST_ROWS = 200;

export interface RowTarget {
  select(body: number): void;
  show(motion: number): void;
}

export function renderTable(data: TableData, target: () => RowTarget | undefined): HTMLElement {
  let order = data.rows.map((_, k) => k);
  let sorted = -1;
  let descending = false;
  let shown = FIRST_ROWS;
  const numeric = data.columns.map((_, c) => data.rows.some((row) => cellNumber(row[c]) !== undefined));
  const heads = data.columns.map((column, c) => {
    const button = element('button', { type: 'button', title: column.hint ?? `Sort by ${column.name}`, click: () => sortBy(c) });
    button.append(element('bdi', {}, column.name));
    if (column.unit) button.append(element('span', { class: 'unit' }, ` ${column.unit}`));
    return element('th', { scope: 'col', class: numeric[c] ? 'number' : '', 'aria-sort': 'none' }, button);
  });
  const body = element('tbody');
  const more = element('button', { type: 'button', class: 'text-button', click: () => ((shown = Infinity), fill()) });
  const copied = element('span', { class: 'muted', role: 'status' });

  function sortBy(column: number): void {
    // Once up, once down, then as it came.
    if (sorted !== column) [sorted, descending] = [column, false];
    else if (!descending) descending = true;
    else sorted = -1;
    order = sorted < 0 ? data.rows.map((_, k) => k) : sortedOrder(data.rows, sorted, descending);
    heads.forEach((head, c) => head.setAttribute('aria-sort', c === sorted ? (descending ? 'descending' : 'ascending') : 'none'));
    fill();
  }

  function fill(): void {
    const rows = order.slice(0, shown).map((k) => tableRow(data, k, numeric, target));
    body.replaceChildren(...rows);
    more.hidden = order.length <= shown;
    more.textContent = `Show all ${order.length} rows`;
  }

  async function copy(): Promise<void> {
    const text = tableText(data.columns, data.rows, order, '\t');
    copied.textContent = (await copyText(text)) ? 'copied' : 'the browser does not allow copying';
    setTimeout(() => (copied.textContent = ''), 2500);
  }

  const csvName = `${(data.caption ?? 'table').replace(/[^\w-]+/g, '_').slice(0, 60) || 'table'}.csv`;
  const tools = element(
    'div',
    { class: 'table-tools' },
    copied,
    element('button', { type: 'button', class: 'text-button', click: () => void copy() }, 'Copy'),
    element('button', { type: 'button', class: 'text-button', click: () => save(csvName, new Blob([tableText(data.columns, data.rows, order, ',')], { type: 'text/csv' })) }, 'Save CSV'),
  );
  fill();
  const table = element('table', { 'aria-label': data.caption }, element('thead', {}, element('tr', {}, ...heads)), body);
  return element(
    'section',
    { class: 'card table-card' },
    element('header', {}, element('h3', { dir: 'auto' }, data.caption ?? ''), tools),
    element('div', { class: 'table-scroll', tabindex: 0, role: 'region', 'aria-label': data.caption ?? 'table' }, table),
    more,
  );
}

function tableRow(data: TableData, k: number, numeric: boolean[], target: () => RowTarget | undefined): HTMLElement {
  const link = data.links?.[k];
  const linked = !!link && (link.body !== undefined || link.motion !== undefined);
  const cells = data.rows[k].map((cell, c) => element('td', { class: numeric[c] ? 'number' : '', dir: numeric[c] ? undefined : 'auto' }, cellText(cell, data.columns[c].digits)));
  const row = element('tr', linked ? { class: 'linked', tabindex: 0, title: 'Show in the scene' } : {}, ...cells);
  if (!linked) return row;
  const act = () => {
    if (link.motion !== undefined) target()?.show(link.motion);
    if (link.body !== undefined) target()?.select(link.body);
  };
  row.addEventListener('click', act);
  row.addEventListener('keydown', (event) => {
    if (event.key === 'Enter') act();
  });
  return row;
}

function cellText(cell: Cell, digits: number): string {
  const number = cellNumber(cell);
  if (number !== undefined) return formatNumber(number, digits);
  return cell === null ? '' : (cell as string);
}

async function copyText(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    // Pages from disk and old browsers: the way through a selected text field.
    const field = element('textarea', { class: 'off-screen' });
    field.value = text;
    document.body.append(field);
    field.select();
    const done = document.execCommand('copy');
    field.remove();
    return done;
  }
}
