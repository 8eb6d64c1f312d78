// What happened when: rows of bars over one axis of time. The cursor is the clock of the linked scene: it moves with it and, dragged, moves it.
import type { Clock } from './clock';
import { element } from './dom';
import { formatNumber } from './format';
import type { TimelineBar, TimelineData } from './page_data';
import { axisTicks, spanOf } from './timeline_axis';

export function renderTimeline(data: TimelineData, clock: () => Clock | undefined): HTMLElement {
  const { start, end } = spanOf(data);
  const percent = (time: number) => `${((time - start) / (end - start)) * 100}%`;
  const cursor = element('div', { class: 'timeline-cursor', hidden: true });
  const marks = element('div', { class: 'timeline-marks' }, cursor);
  for (const { label, time } of data.marks) {
    const words = `${label}, ${formatNumber(time, 4)} s`;
    const line = element('div', { class: 'timeline-mark', title: words, 'data-label': label });
    line.style.left = percent(time);
    marks.append(line);
  }
  const body = element('div', { class: data.marks.length ? 'timeline-body marked' : 'timeline-body' });
  data.rows.forEach((row, k) => {
    const name = element('div', { class: 'timeline-name', dir: 'auto' }, row.name);
    const track = element('div', { class: 'timeline-track' }, ...row.bars.map((bar) => barOf(bar, percent)));
    name.style.gridRow = track.style.gridRow = String(k + 1);
    body.append(name, track);
  });
  marks.style.gridRow = `1 / ${data.rows.length + 1}`;
  const axis = element('div', { class: 'timeline-axis' });
  for (const tick of axisTicks(start, end)) {
    const text = element('span', {}, `${formatNumber(tick, 4)} s`);
    text.style.left = percent(tick);
    axis.append(text);
  }
  axis.style.gridRow = String(data.rows.length + 1);
  body.append(axis, marks);

  const follow = () => {
    const time = clock();
    const isShown = time !== undefined && time.motion === data.motion;
    cursor.hidden = !isShown;
    if (isShown) cursor.style.left = percent(Math.min(Math.max(time.time, start), end));
    body.dataset.cursor = isShown ? String(time.time) : '';
  };
  dragTime(marks, (share) => {
    const time = clock();
    if (!time) return;
    if (time.motion !== data.motion) time.show(data.motion);
    time.playing = false;
    time.seek(start + share * (end - start));
  });
  clock()?.listen(follow);
  follow();
  return element('figure', { class: 'card timeline' }, element('figcaption', { dir: 'auto' }, data.caption), body);
}

function barOf(bar: TimelineBar, percent: (time: number) => string): HTMLElement {
  const words = bar.to > bar.from ? `${formatNumber(bar.from, 4)} to ${formatNumber(bar.to, 4)} s` : `${formatNumber(bar.from, 4)} s`;
  const node = element('div', { class: bar.hollow ? 'timeline-bar hollow' : 'timeline-bar', title: `${bar.label}, ${words}`, dir: 'auto' }, element('span', {}, bar.label));
  node.style.left = percent(bar.from);
  node.style.right = `calc(100% - ${percent(bar.to)})`;
  node.style.setProperty('--bar', bar.colour);
  return node;
}

// Calls back with the share of the width that is pointed at; the bars below keep their hints.
function dragTime(overlay: HTMLElement, seek: (share: number) => void): void {
  const host = () => overlay.getBoundingClientRect();
  let dragging = false;
  const at = (event: PointerEvent) => seek(Math.min(Math.max((event.clientX - host().left) / host().width, 0), 1));
  queueMicrotask(() => {
    const body = overlay.parentElement!;
    body.addEventListener('pointerdown', (event) => {
      if (event.clientX < host().left) return;
      dragging = true;
      body.setPointerCapture(event.pointerId);
      at(event);
    });
    body.addEventListener('pointermove', (event) => dragging && at(event));
    body.addEventListener('pointerup', () => (dragging = false));
  });
}
