import { describe, expect, it } from 'vitest';

import { commonScale, fraction, NO_VALUE, type Rgb, scaleColour, UNBOUNDED, viridis } from '../../src/colour';

// CIE lightness of an sRGB colour.
function lightness(rgb: Rgb): number {
  const linear = rgb.map((c) => (c / 255 <= 0.04045 ? c / 255 / 12.92 : ((c / 255 + 0.055) / 1.055) ** 2.4));
  const y = 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2];
  return y > 0.008856 ? 116 * Math.cbrt(y) - 16 : 903.3 * y;
}
// What a person without green cones sees (Viénot, Brettel and Mollon 1999), in linear light.
function withoutGreen(rgb: Rgb): Rgb {
  const [r, g, b] = rgb.map((c) => (c / 255) ** 2.2);
  const mixed = 0.29275 * r + 0.70725 * g;
  return [mixed, mixed, -0.02234 * r + 0.02234 * g + b].map((c) => 255 * Math.max(c, 0) ** (1 / 2.2)) as Rgb;
}

describe('the colour map', () => {
  it('has the ends and the middle of viridis', () => {
    expect(viridis(0)).toEqual([0x44, 0x01, 0x54]);
    expect(viridis(1)).toEqual([0xfd, 0xe7, 0x25]);
    viridis(0.5).forEach((c, k) => expect(Math.abs(c - [33, 145, 140][k])).toBeLessThanOrEqual(2));
  });
  it('grows lighter in even steps', () => {
    const steps = Array.from({ length: 20 }, (_, k) => lightness(viridis((k + 1) / 20)) - lightness(viridis(k / 20)));
    const mean = steps.reduce((a, b) => a + b) / steps.length;
    // 8-bit rounding of a step of 3.8 units of lightness leaves a fifth of it.
    for (const step of steps) expect(Math.abs(step - mean)).toBeLessThan(0.35 * mean);
  });
  it('grows lighter for colour-blind eyes too', () => {
    for (let k = 0; k < 20; ++k) expect(lightness(withoutGreen(viridis((k + 1) / 20)))).toBeGreaterThan(lightness(withoutGreen(viridis(k / 20))));
  });
  it('clamps', () => {
    expect(viridis(-3)).toEqual(viridis(0));
    expect(viridis(7)).toEqual(viridis(1));
  });
});

describe('scales', () => {
  it('take their ends from the finite values', () => {
    expect(commonScale([[3, NaN], [Infinity, -1]], { logarithmic: false })).toEqual({ lower: -1, upper: 3, logarithmic: false });
  });
  it('prefer given ends', () => {
    expect(commonScale([[3]], { lower: 0, upper: 10, logarithmic: false })).toMatchObject({ lower: 0, upper: 10 });
  });
  it('survive no value at all and one value only', () => {
    expect(commonScale([[NaN]], { logarithmic: true })).toMatchObject({ lower: 1, upper: 10 });
    expect(fraction(5, { lower: 5, upper: 5, logarithmic: false })).toBe(0.5);
  });
  it('are even in ratios when logarithmic', () => {
    expect(fraction(10, { lower: 1, upper: 100, logarithmic: true })).toBeCloseTo(0.5, 12);
  });
  it('draw unbounded black and missing grey', () => {
    const scale = { lower: 0, upper: 1, logarithmic: false };
    expect(scaleColour(Infinity, scale)).toEqual(UNBOUNDED);
    expect(scaleColour(-Infinity, scale)).toEqual(UNBOUNDED);
    expect(scaleColour(NaN, scale)).toEqual(NO_VALUE);
  });
});
