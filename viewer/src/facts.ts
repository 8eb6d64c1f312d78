// Names and values, side by side.
import { element } from './dom';
import type { Fact, FactsData } from './page_data';

export function factList(facts: Fact[]): HTMLElement {
  const list = element('dl', { class: 'facts' });
  for (const fact of facts) {
    const unit = fact.unit ? element('span', { class: 'unit' }, ` ${fact.unit}`) : undefined;
    list.append(
      element('div', { title: fact.hint }, element('dt', { dir: 'auto' }, fact.name), element('dd', { dir: 'auto' }, fact.value, unit)),
    );
  }
  return list;
}

export function renderFacts(data: FactsData): HTMLElement {
  const card = element('section', { class: 'card facts-card' });
  if (data.caption) card.append(element('h3', { dir: 'auto' }, data.caption));
  card.append(factList(data.facts));
  return card;
}
