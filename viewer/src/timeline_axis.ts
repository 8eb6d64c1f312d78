// The axis of a timeline: what it spans, and round times on it.
import type { TimelineData } from './page_data';

export function spanOf(data: Pick<TimelineData, 'rows' | 'marks'>): { start: number; end: number } {
  let start = Infinity;
  let end = -Infinity;
  for (const row of data.rows) {
    for (const bar of row.bars) {
      start = Math.min(start, bar.from);
      end = Math.max(end, bar.to);
    }
  }
  for (const mark of data.marks) {
    start = Math.min(start, mark.time);
    end = Math.max(end, mark.time);
  }
  if (start > end) return { start: 0, end: 1 };
  return end > start ? { start, end } : { start, end: start + 1 };
}

// About six multiples of 1, 2 or 5 times a power of ten within the span.
export function axisTicks(start: number, end: number): number[] {
  const rough = (end - start) / 6;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = [1, 2, 5, 10].map((factor) => factor * power).find((size) => size >= rough)!;
  const ticks: number[] = [];
  for (let k = Math.ceil(start / step - 1e-9); k * step <= end + 1e-9 * step; ++k) ticks.push(Number((k * step).toPrecision(12)));
  return ticks;
}
