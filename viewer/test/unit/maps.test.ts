import { describe, expect, it } from 'vitest';

import type { MapData } from '../../src/page_data';
import { mapChoices } from '../../src/scene/maps';

const map = (upper?: number): MapData => ({ name: 'Robustness', unit: 'N', logarithmic: false, upper, buffer: 0, rows: 3 });

describe('maps of one name', () => {
  it('share a scale and say what it leaves out', () => {
    const [choice] = mapChoices([
      { data: map(), values: new Float32Array([1, 2, Infinity]) },
      { data: map(), values: new Float32Array([0.5, 4, NaN]) },
    ]);
    expect(choice.scale).toEqual({ lower: 0.5, upper: 4, logarithmic: false });
    expect([choice.hasUnbounded, choice.hasMissing, choice.hasAbove]).toEqual([true, true, false]);
  });
  it('know values past a given end', () => {
    const [choice] = mapChoices([{ data: map(3), values: new Float32Array([1, 2, 40]) }]);
    expect(choice.scale?.upper).toBe(3);
    expect([choice.hasBelow, choice.hasAbove]).toEqual([false, true]);
    const [low] = mapChoices([{ data: { ...map(), lower: 2 }, values: new Float32Array([1, 2, 3]) }]);
    expect([low.hasBelow, low.hasAbove]).toEqual([true, false]);
  });
});
