// Sorting and copying of tables, apart from how they look.
import type { Cell, ColumnData } from './page_data';

// The number behind a cell: special values included, text and empty cells none.
export function cellNumber(cell: Cell): number | undefined {
  if (typeof cell === 'number') return cell;
  if (cell && typeof cell === 'object') return cell.special === 'nan' ? NaN : cell.special === 'inf' ? Infinity : -Infinity;
  return undefined;
}

const words = new Intl.Collator('en', { numeric: true, sensitivity: 'base' });

// Numbers before words; cells without a value stay at the end in both directions.
function compare(a: Cell, b: Cell, sign: number): number {
  const [x, y] = [cellNumber(a), cellNumber(b)];
  const empty = (cell: Cell, number?: number) => cell === null || (number !== undefined && Number.isNaN(number));
  if (empty(a, x) || empty(b, y)) return Number(empty(a, x)) - Number(empty(b, y));
  if (x !== undefined && y !== undefined) return x === y ? 0 : sign * (x < y ? -1 : 1);
  if (x !== undefined || y !== undefined) return x !== undefined ? -1 : 1;
  return sign * words.compare(a as string, b as string);
}

// The order of the rows by one column; equal rows keep theirs.
export function sortedOrder(rows: Cell[][], column: number, descending: boolean): number[] {
  return rows.map((_, k) => k).sort((i, j) => compare(rows[i][column], rows[j][column], descending ? -1 : 1) || i - j);
}

function plainText(cell: Cell): string {
  const number = cellNumber(cell);
  if (number === undefined) return cell === null ? '' : (cell as string);
  if (Number.isNaN(number)) return 'nan';
  return Number.isFinite(number) ? String(number) : number > 0 ? 'inf' : '-inf';
}

// A spreadsheet takes a text cell that starts like a formula for one; a quote in front keeps it text.
function isFormula(cell: Cell, text: string): boolean {
  return typeof cell === 'string' && /^[=+\-@\t\r]/.test(text);
}

export function tableText(columns: ColumnData[], rows: Cell[][], order: number[], separator: ',' | '\t'): string {
  const quoted = (text: string) =>
    separator === ',' ? (/[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text) : text.replace(/[\t\r\n]+/g, ' ');
  const head = columns.map((column) => quoted(column.unit ? `${column.name} [${column.unit}]` : column.name));
  const body = order.map((k) =>
    rows[k].map((cell) => {
      const text = plainText(cell);
      return quoted(isFormula(cell, text) ? `'${text}` : text);
    }),
  );
  return [head, ...body].map((row) => row.join(separator)).join('\n') + '\n';
}
