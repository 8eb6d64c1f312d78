// The small cross of axes in the corner: shows how the view is turned; a click looks along that axis.
import * as THREE from 'three';

import { element, svg } from '../dom';

const AXES: [string, THREE.Vector3, string][] = [
  ['x', new THREE.Vector3(1, 0, 0), 'axis-x'],
  ['y', new THREE.Vector3(0, 1, 0), 'axis-y'],
  ['z', new THREE.Vector3(0, 0, 1), 'axis-z'],
];

export class AxisGizmo {
  readonly root = element('div', { class: 'gizmo' });
  private readonly parts: { axis: THREE.Vector3; line: SVGElement; knob: SVGElement; label: SVGElement }[] = [];
  private readonly canvas = svg('svg', { viewBox: '-40 -40 80 80', 'aria-label': 'Directions of the axes', role: 'group' });

  constructor(look: (direction: THREE.Vector3) => void) {
    this.root.append(this.canvas);
    for (const [name, axis, style] of AXES) {
      const line = svg('line', { class: style, x1: 0, y1: 0 });
      const knob = svg('circle', { class: style, r: 9, role: 'button', tabindex: 0, 'aria-label': `Look along ${name}` });
      const label = svg('text', { class: 'axis-name', 'text-anchor': 'middle', dy: '0.35em' }, name);
      const act = () => look(axis.clone().add(new THREE.Vector3(0, name === 'z' ? -0.001 : 0, 0)).normalize());
      knob.addEventListener('click', act);
      knob.addEventListener('keydown', (event) => {
        if ((event as KeyboardEvent).key === 'Enter') act();
      });
      this.parts.push({ axis, line, knob, label });
    }
  }

  update(camera: THREE.Camera): void {
    const turn = camera.quaternion.clone().invert();
    const placed = this.parts.map((part) => ({ ...part, at: part.axis.clone().applyQuaternion(turn) }));
    // The nearest axis is drawn last.
    placed.sort((a, b) => a.at.z - b.at.z);
    for (const { at, line, knob, label } of placed) {
      const [x, y] = [28 * at.x, -28 * at.y];
      line.setAttribute('x2', String(x));
      line.setAttribute('y2', String(y));
      for (const [node, px, py] of [[knob, 'cx', 'cy'], [label, 'x', 'y']] as const) {
        node.setAttribute(px, String(x));
        node.setAttribute(py, String(y));
      }
      this.canvas.append(line, knob, label);
    }
  }
}
