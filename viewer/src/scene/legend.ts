// The legend of the shown map: its colours, its ends, and a mark at the value under the pointer.
import { css, fraction, NO_VALUE, UNBOUNDED, viridis } from '../colour';
import { element } from '../dom';
import { formatNumber, niceTicks } from '../format';
import type { MapChoice } from './maps';

export class Legend {
  readonly root = element('figure', { class: 'legend', 'aria-label': 'Legend', hidden: true });
  private mark = element('div', { class: 'legend-mark', hidden: true });
  private choice?: MapChoice;

  show(choice: MapChoice): void {
    this.choice = choice;
    const { scale } = choice;
    this.root.hidden = !scale;
    if (!scale) return;
    const colours = Array.from({ length: 21 }, (_, k) => css(viridis(k / 20)));
    const bar = element('div', { class: 'legend-bar' }, this.mark);
    bar.style.background = `linear-gradient(to right, ${colours.join(', ')})`;
    const labels = element('div', { class: 'legend-ticks' });
    for (const value of legendTicks(scale, choice.hasAbove ? 0.25 : 0.12)) {
      const label = element('span', {}, (choice.hasAbove && value === scale.upper ? '≥ ' : '') + formatNumber(value, 3));
      label.style.left = `${100 * fraction(value, scale)}%`;
      labels.append(label);
    }
    const extras = element('div', { class: 'legend-extras' });
    if (choice.hasUnbounded) extras.append(swatch(css(UNBOUNDED), 'unbounded'));
    if (choice.hasMissing) extras.append(swatch(css(NO_VALUE), 'no value'));
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

// `room`: share of the bar that the last label needs for itself.
export function legendTicks(scale: { lower: number; upper: number; logarithmic: boolean }, room = 0.12): number[] {
  const { lower, upper } = scale;
  if (!(upper > lower)) return [lower];
  if (!scale.logarithmic) {
    const inner = niceTicks(lower, upper, 4).filter((tick) => tick - lower > 0.2 * (upper - lower) && upper - tick > Math.max(0.2, room) * (upper - lower));
    return [lower, ...inner, upper];
  }
  const decades: number[] = [];
  const span = Math.log10(upper / lower);
  const step = Math.max(1, Math.ceil(span / 4));
  for (let k = Math.ceil(Math.log10(lower)); 10 ** k < upper; k += step) {
    const place = Math.log10(10 ** k / lower) / span;
    if (place > 0.12 && place < 1 - room) decades.push(10 ** k);
  }
  return [lower, ...decades, upper];
}

function swatch(colour: string, text: string): HTMLElement {
  const chip = element('span', { class: 'chip' });
  chip.style.background = colour;
  return element('span', { class: 'legend-extra' }, chip, text);
}
