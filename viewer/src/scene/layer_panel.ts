// What the reader can switch: the map, the layers, the bodies.
import { element, icon } from '../dom';
import { formatNumber, withUnit } from '../format';

export interface Layer {
  name: string;
  colour?: string;
  detail?: string;
  visible: boolean;
  toggle(visible: boolean): void;
  // Arrows: length relative to the first view.
  stretch?(factor: number): void;
}

export class LayerPanel {
  readonly root = element('aside', { class: 'layer-panel', 'aria-label': 'Layers' });
  private rows: HTMLElement[] = [];

  addMapChoice(names: string[], initial: string, choose: (name: string) => void): void {
    const choice = element('select', { 'aria-label': 'Colour by', class: 'map-choice' });
    choice.append(element('option', { value: '' }, 'own colours'));
    for (const name of names) choice.append(element('option', { value: name }, name));
    choice.value = initial;
    choice.addEventListener('change', () => choose(choice.value));
    this.root.append(element('label', { class: 'panel-choice' }, element('span', { class: 'panel-title' }, 'Colour by'), choice));
  }

  addLayers(title: string, layers: Layer[]): void {
    if (!layers.length) return;
    const list = element('ul', { class: 'layer-list' });
    for (const layer of layers) {
      const box = element('input', { type: 'checkbox', checked: layer.visible });
      box.addEventListener('change', () => layer.toggle(box.checked));
      const chip = layer.colour ? element('span', { class: 'chip' }) : undefined;
      if (chip) chip.style.background = layer.colour!;
      const label = element('label', {}, box, chip, element('bdi', { class: 'layer-name' }, layer.name), layer.detail ? element('span', { class: 'muted' }, layer.detail) : undefined);
      const row = element('li', {}, label);
      if (layer.stretch) row.append(stretchSlider(layer));
      list.append(row);
    }
    this.root.append(element('div', { class: 'panel-title' }, title), list);
  }

  addBodies(bodies: { name: string; colour: string }[], select: (index: number) => void, toggle: (index: number, visible: boolean) => void): void {
    const list = element('ul', { class: 'body-list' });
    bodies.forEach((body, k) => {
      const chip = element('span', { class: 'chip' });
      chip.style.background = body.colour;
      const name = element('button', { type: 'button', class: 'body-name', title: body.name, click: () => select(k) }, chip, element('bdi', {}, body.name || '(unnamed)'));
      const eye = element('button', { type: 'button', class: 'eye', 'aria-label': `Show ${body.name}`, 'aria-pressed': 'true' }, icon('eye'));
      eye.addEventListener('click', () => {
        const visible = eye.getAttribute('aria-pressed') !== 'true';
        eye.setAttribute('aria-pressed', String(visible));
        toggle(k, visible);
      });
      const row = element('li', {}, name, eye);
      this.rows.push(row);
      list.append(row);
    });
    this.root.append(element('div', { class: 'panel-title' }, `Bodies (${bodies.length})`), list);
  }

  markSelected(index: number): void {
    this.rows.forEach((row, k) => row.classList.toggle('selected', k === index));
  }
}

function stretchSlider(layer: Layer): HTMLElement {
  const slider = element('input', { type: 'range', class: 'stretch', min: -1, max: 1, step: 0.05, value: 0, 'aria-label': `Length of ${layer.name}` });
  slider.addEventListener('input', () => layer.stretch!(10 ** Number(slider.value)));
  return slider;
}

export function arrowDetail(longest: number, unit: string): string {
  return longest > 0 ? `≤ ${withUnit(formatNumber(longest, 3), unit)}` : '';
}
