// Colour maps and the palette. Maps are perceptually uniform and read alike with the common kinds of colour blindness.

// Viridis at nine equal steps (CC0 by its authors); straight lines between them stay within two units of 255 of its table.
const VIRIDIS = [0x440154, 0x482878, 0x3e4a89, 0x31688e, 0x26828e, 0x1f9e89, 0x35b779, 0x6ece58, 0xb5de2b, 0xfde725];

// Unbounded is hatched, light and dark grey: it is no end of the scale, and not dark like its lower one.
export const UNBOUNDED: Rgb = [208, 211, 216];
export const HATCH: Rgb = [128, 134, 143];
export const NO_VALUE: Rgb = [150, 150, 150];
export type Rgb = [number, number, number];

export function viridis(t: number): Rgb {
  const position = Math.min(Math.max(t, 0), 1) * (VIRIDIS.length - 1);
  const k = Math.min(Math.floor(position), VIRIDIS.length - 2);
  const f = position - k;
  const mix = (shift: number) =>
    Math.round(((VIRIDIS[k] >> shift) & 255) * (1 - f) + ((VIRIDIS[k + 1] >> shift) & 255) * f);
  return [mix(16), mix(8), mix(0)];
}

export interface Scale {
  lower: number;
  upper: number;
  logarithmic: boolean;
}

// Where a finite value lies between the ends of the scale, in [0, 1].
export function fraction(value: number, scale: Scale): number {
  const map = scale.logarithmic ? Math.log : (x: number) => x;
  const low = map(scale.lower);
  const span = map(scale.upper) - low;
  if (!(span > 0)) return 0.5;
  return Math.min(Math.max((map(value) - low) / span, 0), 1);
}

export function scaleColour(value: number, scale: Scale): Rgb {
  if (Number.isNaN(value)) return NO_VALUE;
  if (!Number.isFinite(value)) return UNBOUNDED;
  return viridis(fraction(value, scale));
}

// The common scale of several arrays; given ends win over the data's own.
export function commonScale(arrays: ArrayLike<number>[], given: { lower?: number; upper?: number; logarithmic: boolean }): Scale {
  let lower = Infinity;
  let upper = -Infinity;
  for (const values of arrays) {
    for (let i = 0; i < values.length; ++i) {
      const value = values[i];
      if (!Number.isFinite(value) || (given.logarithmic && value <= 0)) continue;
      if (value < lower) lower = value;
      if (value > upper) upper = value;
    }
  }
  if (lower > upper) [lower, upper] = given.logarithmic ? [1, 10] : [0, 1];
  return { lower: given.lower ?? lower, upper: given.upper ?? upper, logarithmic: given.logarithmic };
}

export const css = ([r, g, b]: Rgb) => `rgb(${r} ${g} ${b})`;

const LIGHT = ['#2f7fc1', '#d9831f', '#2a9d7e', '#b8569a', '#5a68c9', '#c4502f', '#4fa3cf', '#a38a1b'];
const DARK = ['#6db3ec', '#f0aa55', '#57c9a8', '#e090c6', '#98a4f5', '#ee8262', '#8ecbec', '#d8c25e'];

export function seriesColour(index: number, dark: boolean): string {
  return (dark ? DARK : LIGHT)[index % LIGHT.length];
}
