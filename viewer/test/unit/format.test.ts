import { describe, expect, it } from 'vitest';

import { formatBytes, formatNumber, formatTime, niceTicks, withUnit } from '../../src/format';
import { isSafeLink, spansOf } from '../../src/markup';
import { legendLabels } from '../../src/scene/legend';

describe('numbers', () => {
  it.each([
    [0, '0'],
    [1.23456, '1.235'],
    [-0.5, '−0.5'],
    [1500, '1500'],
    [123456, '123500'],
    [9999.9, '10000'],
    [1.2e-7, '1.2·10⁻⁷'],
    [-3e12, '−3·10¹²'],
    [NaN, 'n/a'],
    [Infinity, 'unbounded'],
  ])('%d reads %s', (value, text) => expect(formatNumber(value, 4)).toBe(text));
  it('keep zeros when asked', () => expect(formatNumber(1.5, 4, true)).toBe('1.500'));
  it('carry a unit only when they are numbers', () => {
    expect(withUnit('3', 'N')).toBe('3 N');
    expect(withUnit('unbounded', 'N')).toBe('unbounded');
  });
  it('of time show what a frame needs', () => {
    expect(formatTime(1.25, 0.001)).toBe('1.250 s');
    expect(formatTime(1.25, 0.5)).toBe('1.3 s');
  });
  it('of bytes', () => {
    expect(formatBytes(27)).toBe('27 B');
    expect(formatBytes(20_400_000)).toBe('20.4 MB');
  });
});

describe('ticks', () => {
  it('are round and inside', () => {
    expect(niceTicks(0, 1, 5)).toEqual([0, 0.2, 0.4, 0.6, 0.8, 1]);
    expect(niceTicks(-0.13, 0.22, 4)).toEqual([-0.1, 0, 0.1, 0.2]);
    expect(niceTicks(3, 3, 4)).toEqual([3]);
  });
  it('of a legend hold both ends and stay inside the bar, apart from each other', () => {
    const texts = (lower: number, upper: number, logarithmic: boolean, width = 234, hasAbove = false) =>
      legendLabels({ lower, upper, logarithmic }, { hasAbove, hasBelow: false }, width).map((label) => label.text);
    expect(texts(0.25, 12, false)).toEqual(['0.25', '5', '10', '12']);
    expect(texts(0.01, 1000, true)).toEqual(['0.01', '1', '1000']);
    expect(texts(8.54, 1470, true, 234, true)).toEqual(['8.54', '100', '≥ 1470']);
    expect(texts(3, 3, false)).toEqual(['3']);
    let seed = 1;
    const random = () => (seed = (seed * 16807) % 2147483647) / 2147483647;
    for (let k = 0; k < 2000; ++k) {
      const [width, logarithmic] = [k % 2 ? 234 : 168, random() < 0.5];
      const lower = 10 ** (8 * random() - 5) * (logarithmic || random() < 0.8 ? 1 : -1);
      const scale = { lower, upper: lower + Math.abs(lower) * 10 ** (5 * random() - 1), logarithmic };
      const labels = legendLabels(scale, { hasAbove: random() < 0.5, hasBelow: random() < 0.2 }, width);
      const spans = labels.map(({ text, place }) => {
        const size = 7.2 * text.length;
        const left = place <= 0 ? 0 : place >= 1 ? width - size : place * width - size / 2;
        return [left, left + size];
      });
      expect(spans[0][0]).toBeGreaterThanOrEqual(0);
      expect(spans.at(-1)![1]).toBeLessThanOrEqual(width + 1e-9);
      for (let i = 1; i < spans.length; ++i) expect(spans[i][0]).toBeGreaterThan(spans[i - 1][1]);
    }
  });
});

describe('markup', () => {
  it('knows strong, emphasis, code and links', () => {
    expect(spansOf('a **b** *c* `d` [e](https://x.org/y)')).toEqual([
      { kind: 'text', text: 'a ' },
      { kind: 'strong', text: 'b' },
      { kind: 'text', text: ' ' },
      { kind: 'em', text: 'c' },
      { kind: 'text', text: ' ' },
      { kind: 'code', text: 'd' },
      { kind: 'text', text: ' ' },
      { kind: 'link', text: 'e', href: 'https://x.org/y' },
    ]);
  });
  it('leaves lone stars and HTML as they are', () => {
    expect(spansOf('2 * 3 <b>')).toEqual([{ kind: 'text', text: '2 * 3 <b>' }]);
  });
  it('makes no link to a script', () => {
    expect(spansOf('[x](javascript:alert(1))').some((span) => span.kind === 'link')).toBe(false);
    for (const bad of ['javascript:x', 'JaVaScRiPt:x', 'data:text/html,x', '//evil', '../x', 'file:///etc', ' https://x']) expect(isSafeLink(bad)).toBe(false);
    for (const good of ['https://x.org', '#a', 'results.csv']) expect(isSafeLink(good)).toBe(true);
  });
});
