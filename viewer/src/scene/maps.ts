// Maps of the same name on several bodies and point layers are one choice with one scale.
import { commonScale, type Scale } from '../colour';
import type { MapData } from '../page_data';

export interface MapChoice {
  name: string;
  unit: string;
  scale?: Scale;
  hasUnbounded: boolean;
  hasMissing: boolean;
  hasAbove: boolean; // values past the scale's upper end, drawn in its colour
  hasBelow: boolean; // the same at its lower end
}

export const NO_MAP: MapChoice = { name: '', unit: '', hasUnbounded: false, hasMissing: false, hasAbove: false, hasBelow: false };

export function mapChoices(found: { data: MapData; values: Float32Array }[]): MapChoice[] {
  const names = [...new Set(found.map((map) => map.data.name))];
  return names.map((name) => {
    const same = found.filter((map) => map.data.name === name);
    const lowers = same.map((map) => map.data.lower).filter((value) => value !== undefined);
    const uppers = same.map((map) => map.data.upper).filter((value) => value !== undefined);
    const given = {
      lower: lowers.length ? Math.min(...lowers) : undefined,
      upper: uppers.length ? Math.max(...uppers) : undefined,
      logarithmic: same[0].data.logarithmic,
    };
    const arrays = same.map((map) => map.values);
    const scale = commonScale(arrays, given);
    const slack = 1e-6 * Math.max(Math.abs(scale.lower), Math.abs(scale.upper)); // of single precision
    return {
      name,
      unit: same[0].data.unit,
      scale,
      hasAbove: arrays.some((values) => values.some((value) => Number.isFinite(value) && value > scale.upper + slack)),
      hasBelow: arrays.some((values) => values.some((value) => Number.isFinite(value) && value < scale.lower - slack)),
      hasUnbounded: arrays.some((values) => values.some((value) => value === Infinity || value === -Infinity)),
      hasMissing: arrays.some((values) => values.some(Number.isNaN)),
    };
  });
}
