// What is known about the selected body, and where it is now.
import { element, iconButton } from '../dom';
import { factList } from '../facts';
import { formatNumber } from '../format';
import type { BodyView } from './body_view';

export function selectionCard(body: BodyView, origin: [number, number, number], close: () => void): Node[] {
  const { position } = body.group;
  const at = [position.x + origin[0], position.y + origin[1], position.z + origin[2]].map((value) => formatNumber(Math.abs(value) < 5e-7 ? 0 : value, 4));
  const facts = [...body.data.properties, { name: 'position', value: at.join(', '), unit: 'm' }];
  return [
    element('header', {}, element('strong', { dir: 'auto' }, body.data.name || '(unnamed)'), iconButton('close', 'Close (escape)', close)),
    body.data.hover ? element('p', { class: 'muted', dir: 'auto' }, body.data.hover) : document.createTextNode(''),
    factList(facts),
  ];
}
