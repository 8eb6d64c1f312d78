// Lines, and points, of one name are one layer: a scene of many contacts has many outlines and one switch for them.
import type { LineData } from '../page_data';

export interface LineLayer {
  name: string;
  colour: string; // of its first line
  visible: boolean; // some line is shown at first
  lines: number[]; // into the scene's lines
}

export function lineLayers(lines: Pick<LineData, 'name' | 'colour' | 'visible'>[]): LineLayer[] {
  const layers = new Map<string, LineLayer>();
  lines.forEach((line, k) => {
    const layer = layers.get(line.name) ?? { name: line.name, colour: line.colour, visible: false, lines: [] };
    layer.visible ||= line.visible;
    layer.lines.push(k);
    layers.set(line.name, layer);
  });
  return [...layers.values()];
}
