import { describe, expect, it } from 'vitest';

import type { Cell } from '../../src/page_data';
import { sortedOrder, tableText } from '../../src/table_order';

const rows: Cell[][] = [[3], [{ special: 'inf' }], [null], [1], [{ special: 'nan' }], [{ special: '-inf' }], [3]];

describe('sorting', () => {
  it('puts numbers in order, infinities at their ends, nothing last, equals as they came', () => {
    expect(sortedOrder(rows, 0, false)).toEqual([5, 3, 0, 6, 1, 2, 4]);
  });
  it('keeps what has no value last when turned round', () => {
    expect(sortedOrder(rows, 0, true)).toEqual([1, 0, 6, 3, 5, 2, 4]);
  });
  it('reads numbers inside words', () => {
    expect(sortedOrder([['box 10'], ['box 9'], ['Box 1']], 0, false)).toEqual([2, 1, 0]);
  });
  it('puts numbers before words', () => {
    expect(sortedOrder([['a'], [2]], 0, false)).toEqual([1, 0]);
  });
});

describe('copying', () => {
  const columns = [{ name: 'body', digits: 4 }, { name: 'push', unit: 'N', digits: 3 }];
  it('carries all digits, the units and the shown order', () => {
    expect(tableText(columns, [['a', 0.1234567890123], ['b', { special: 'inf' }]], [1, 0], '\t')).toBe('body\tpush [N]\nb\tinf\na\t0.1234567890123\n');
  });
  it('quotes for CSV and keeps a row a row for TSV', () => {
    const cells: Cell[][] = [['a "b", c\nd', null]];
    expect(tableText(columns, cells, [0], ',')).toBe('body,push [N]\n"a ""b"", c\nd",\n');
    expect(tableText(columns, cells, [0], '\t')).toBe('body\tpush [N]\na "b", c d\t\n');
  });
  it('lets no text become a formula', () => {
    expect(tableText(columns, [['=cmd()', -1]], [0], ',')).toContain("'=cmd(),-1");
  });
});
