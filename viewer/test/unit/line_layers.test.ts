import { describe, expect, it } from 'vitest';

import { lineLayers } from '../../src/scene/line_layers';

describe('layers of lines', () => {
  it('has one layer for each name, in the order they come', () => {
    const lines = [
      { name: 'contact outlines', colour: '#c90', visible: false },
      { name: 'path', colour: '#123', visible: true },
      { name: 'contact outlines', colour: '#000', visible: true },
    ];
    expect(lineLayers(lines)).toEqual([
      { name: 'contact outlines', colour: '#c90', visible: true, lines: [0, 2] },
      { name: 'path', colour: '#123', visible: true, lines: [1] },
    ]);
  });
  it('has none without lines, and keeps a hidden layer hidden', () => {
    expect(lineLayers([])).toEqual([]);
    expect(lineLayers([{ name: 'a', colour: '', visible: false }])[0].visible).toBe(false);
  });
});
