import { describe, expect, it } from 'vitest';

import { formatBytes, formatNumber, formatTime, niceTicks, withUnit } from '../../src/format';
import { isSafeLink, spansOf } from '../../src/markup';
import { legendTicks } from '../../src/scene/legend';

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
  it('of a legend hold both ends', () => {
    expect(legendTicks({ lower: 0.25, upper: 12, logarithmic: false })).toEqual([0.25, 5, 12]);
    expect(legendTicks({ lower: 0.01, upper: 1000, logarithmic: true })).toEqual([0.01, 1, 100, 1000]);
    // A last label with a sign before it needs room.
    expect(legendTicks({ lower: 0.01, upper: 1000, logarithmic: true }, 0.25)).toEqual([0.01, 1, 1000]);
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
