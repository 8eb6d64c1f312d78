// The legend of the shown map: its colours, its ends, and a mark at the value under the pointer.
import { css, fraction, NO_VALUE, type Scale, viridis } from '../colour';
import { element } from '../dom';
import { formatNumber, niceTicks } from '../format';
import type { MapChoice } from './maps';

// [px] of a digit in the legend's type, between two labels, and of the bar on a phone and elsewhere.
const DIGIT = 7.2;
const GAP = 10;
const [NARROW, WIDE] = [168, 234];

export class Legend {
  readonly root = element('figure', { class: 'legend', 'aria-label': 'Legend', hidden: true });
  private mark = element('div', { class: 'legend-mark', hidden: true });
  private choice?: MapChoice;

  show(choice: MapChoice): void {
    this.choice = choice;
    const { scale } = choice;
    this.root.hidden = !scale;
    if (!scale) return;
    const bar = element('div', { class: 'legend-bar' }, this.mark);
    const single = !(scale.upper > scale.lower);
    const colours = Array.from({ length: 21 }, (_, k) => css(viridis(single ? fraction(scale.lower, scale) : k / 20)));
    bar.style.background = `linear-gradient(to right, ${colours.join(', ')})`;
    const labels = element('div', { class: 'legend-ticks' });
    for (const tick of legendLabels(scale, choice, window.innerWidth <= 760 ? NARROW : WIDE)) {
      const label = element('span', { class: tick.place <= 0 ? 'at-start' : tick.place >= 1 ? 'at-end' : '' }, tick.text);
      if (tick.place > 0 && tick.place < 1) {
        const at = `${100 * tick.place}%`;
        label.style.left = at;
        const line = element('div', { class: 'legend-tick' });
        line.style.left = at;
        if (!single) bar.append(line);
      }
      labels.append(label);
    }
    const extras = element('div', { class: 'legend-extras' });
    if (choice.hasUnbounded) extras.append(swatch('unbounded', undefined));
    if (choice.hasMissing) extras.append(swatch('no value', css(NO_VALUE)));
    this.root.replaceChildren(
      element('figcaption', {}, element('bdi', {}, choice.name), ' ', element('bdi', { class: 'unit' }, choice.unit)),
      bar,
      labels,
    );
    if (extras.childNodes.length) this.root.append(extras);
  }

  point(value: number | undefined): void {
    const scale = this.choice?.scale;
    this.mark.hidden = !scale || value === undefined || !Number.isFinite(value);
    if (scale && !this.mark.hidden) this.mark.style.left = `${100 * fraction(value!, scale)}%`;
  }
}

export interface LegendLabel {
  text: string;
  place: number; // share of the bar
}

// Labels that stand inside a bar of `width` pixels and do not touch each other: both ends always (they begin and end with the
// bar), then round numbers in the middle of what is free.
export function legendLabels(scale: Scale, ends: { hasBelow: boolean; hasAbove: boolean }, width: number): LegendLabel[] {
  const { lower, upper } = scale;
  if (!(upper > lower)) return [{ text: formatNumber(lower, 3), place: 0.5 }];
  const first = { text: (ends.hasBelow ? '≤ ' : '') + formatNumber(lower, 3), place: 0 };
  const last = { text: (ends.hasAbove ? '≥ ' : '') + formatNumber(upper, 3), place: 1 };
  const size = (label: { text: string }) => DIGIT * label.text.length;
  const labels = [first];
  let free = size(first) + GAP;
  for (const value of innerTicks(scale)) {
    const label = { text: formatNumber(value, 3), place: fraction(value, scale) };
    const left = width * label.place - size(label) / 2;
    if (left < free || left + size(label) > width - size(last) - GAP) continue;
    labels.push(label);
    free = left + size(label) + GAP;
  }
  return [...labels, last];
}

function innerTicks({ lower, upper, logarithmic }: Scale): number[] {
  if (!logarithmic) return niceTicks(lower, upper, 4);
  const step = Math.max(1, Math.ceil(Math.log10(upper / lower) / 4));
  const decades: number[] = [];
  for (let k = Math.ceil(Math.log10(lower)); 10 ** k < upper; k += step) decades.push(10 ** k);
  return decades;
}

// Without a colour: hatched.
function swatch(text: string, colour: string | undefined): HTMLElement {
  const chip = element('span', { class: colour ? 'chip' : 'chip hatched' });
  if (colour) chip.style.background = colour;
  return element('span', { class: 'legend-extra' }, chip, text);
}
