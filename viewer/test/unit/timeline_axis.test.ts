import { describe, expect, it } from 'vitest';

import { axisTicks, spanOf } from '../../src/timeline_axis';

const bar = (from: number, to: number) => ({ label: '', from, to, colour: '#000' });

describe('the axis of a timeline', () => {
  it('spans bars and marks', () => {
    expect(spanOf({ rows: [{ name: 'a', bars: [bar(2, 3)] }, { name: 'b', bars: [bar(2.5, 7)] }], marks: [{ label: '', time: 1 }] })).toEqual({ start: 1, end: 7 });
    expect(spanOf({ rows: [], marks: [] })).toEqual({ start: 0, end: 1 });
    expect(spanOf({ rows: [{ name: '', bars: [bar(4, 4)] }], marks: [] })).toEqual({ start: 4, end: 5 });
  });
  it('has round times', () => {
    expect(axisTicks(0, 54.5)).toEqual([0, 10, 20, 30, 40, 50]);
    expect(axisTicks(0.03, 0.34)).toEqual([0.1, 0.2, 0.3]);
    expect(axisTicks(1700000000, 1700000012)).toEqual([1700000000, 1700000002, 1700000004, 1700000006, 1700000008, 1700000010, 1700000012]);
  });
});
