// Curves over time with uPlot. The cursor is the clock of the linked scene: it moves with it and, dragged, moves it.
import uPlot from 'uplot';
import 'uplot/dist/uPlot.min.css';

import type { Buffers } from './buffers';
import type { Clock } from './clock';
import { seriesColour } from './colour';
import { element } from './dom';
import { formatNumber } from './format';
import type { PlotData } from './page_data';
import { isDark, onThemeChange } from './theme';

const HEIGHT = 250;

async function aligned(data: PlotData, buffers: Buffers): Promise<uPlot.AlignedData> {
  const shared = data.x ? await buffers.quantised(data.x) : new Float64Array();
  const gaps = (y: Float32Array) => Array.from(y, (value) => (Number.isFinite(value) ? value : null));
  const parts: uPlot.AlignedData[] = [];
  for (const series of data.series) {
    const x = series.x ? await buffers.quantised(series.x) : shared;
    parts.push([Array.from(x), gaps(await buffers.float32(series.y, 1))]);
  }
  if (!parts.length) return [Array.from(shared)];
  if (data.series.some((series) => series.x)) return uPlot.join(parts);
  return [parts[0][0], ...parts.map((part) => part[1])] as uPlot.AlignedData;
}

export async function renderTimePlot(data: PlotData, buffers: Buffers, clock: () => Clock | undefined): Promise<HTMLElement> {
  const table = await aligned(data, buffers);
  const host = element('div', { class: 'plot-host' });
  const axisText = (label: string, unit: string) => (unit ? `${label} [${unit}]` : label);
  const figure = element('figure', { class: 'card plot-card' }, element('figcaption', { dir: 'auto' }, data.title), host);
  let plot: uPlot | undefined;
  let hovering = false;

  const linked = () => {
    const time = clock();
    return time && time.motion === data.motion ? time : undefined;
  };
  const cursorX = (u: uPlot) => {
    const time = linked();
    return time && u.scales.x.min !== undefined ? u.valToPos(time.time, 'x', true) : undefined;
  };
  const drawCursor = (u: uPlot) => {
    const x = cursorX(u);
    if (x === undefined || x < u.bbox.left || x > u.bbox.left + u.bbox.width) return;
    u.ctx.save();
    u.ctx.strokeStyle = cssVariable('--accent');
    u.ctx.lineWidth = 1.5 * devicePixelRatio;
    u.ctx.beginPath();
    u.ctx.moveTo(x, u.bbox.top);
    u.ctx.lineTo(x, u.bbox.top + u.bbox.height);
    u.ctx.stroke();
    u.ctx.restore();
  };
  // Seen from outside (tests, assistive tools): the time of the cursor.
  const follow = () => {
    const time = linked();
    host.dataset.cursor = time ? String(time.time) : '';
    if (!plot) return;
    plot.redraw(false, false);
    if (time && !hovering) plot.setLegend({ idx: plot.valToIdx(time.time) });
  };

  const build = () => {
    plot?.destroy();
    const grid = { stroke: cssVariable('--line'), width: 1 };
    const axis = { stroke: cssVariable('--muted'), grid, ticks: { ...grid, size: 5 }, font: '12px system-ui, sans-serif', labelFont: '12px system-ui, sans-serif' };
    const options: uPlot.Options = {
      width: Math.max(host.clientWidth, 200),
      height: HEIGHT,
      cursor: { drag: { x: !clock(), y: false }, points: { size: 7 }, bind: { dblclick: () => () => null } },
      scales: { x: { time: false }, y: data.logarithmicY ? { distr: 3, log: 10 } : {} },
      axes: [
        { ...axis, label: axisText(data.xLabel, data.xUnit), labelSize: 22, values: (_, ticks) => ticks.map((tick) => formatNumber(tick, 5)) },
        { ...axis, label: axisText(data.yLabel, data.yUnit), labelSize: 22, size: 62, values: (_, ticks) => ticks.map((tick) => (tick === null ? '' : formatNumber(tick, 4))) },
      ],
      series: [
        { label: data.xLabel, value: (_, x) => (x === null ? '' : `${formatNumber(x, 5)} ${data.xUnit}`) },
        ...data.series.map((series, k): uPlot.Series => {
          const colour = series.colour ?? seriesColour(k, isDark());
          return {
            label: series.name,
            stroke: colour,
            width: series.style === 'points' ? 0 : 1.8,
            dash: series.style === 'dashed' ? [7, 5] : undefined,
            points: { show: series.style.includes('points'), size: 5, fill: colour },
            value: (_, y) => (y === null ? '–' : `${formatNumber(y, 4)} ${data.yUnit}`),
          };
        }),
      ],
      legend: { markers: { width: 0, fill: (u, k) => String((u.series[k].stroke as unknown as (() => string) | undefined)?.() ?? 'transparent') } },
      hooks: { draw: [drawCursor], ready: [() => queueMicrotask(follow)] },
    };
    plot = new uPlot(options, table, host);
    dragTime(plot);
    plot.ctx.canvas.setAttribute('role', 'img');
    plot.ctx.canvas.setAttribute('aria-label', `${data.title}: ${data.series.map((series) => series.name).join(', ')} over ${data.xLabel}`);
    plot.over.addEventListener('pointerenter', () => (hovering = true));
    plot.over.addEventListener('pointerleave', () => {
      hovering = false;
      follow();
    });
    follow();
  };
  const dragTime = (u: uPlot) => {
    let dragging = false;
    const seek = (event: PointerEvent) => {
      const time = clock();
      if (!time) return;
      if (time.motion !== data.motion) time.show(data.motion);
      time.playing = false;
      time.seek(u.posToVal(event.clientX - u.over.getBoundingClientRect().left, 'x'));
    };
    u.over.addEventListener('pointerdown', (event) => {
      dragging = true;
      u.over.setPointerCapture(event.pointerId);
      seek(event);
    });
    u.over.addEventListener('pointermove', (event) => dragging && seek(event));
    u.over.addEventListener('pointerup', () => (dragging = false));
  };

  new ResizeObserver(() => {
    if (!host.clientWidth) return;
    if (!plot) build();
    else if (plot.width !== host.clientWidth) plot.setSize({ width: host.clientWidth, height: HEIGHT });
  }).observe(host);
  onThemeChange(build);
  clock()?.listen(follow);
  return figure;
}

export function cssVariable(name: string): string {
  return getComputedStyle(document.documentElement).getPropertyValue(name).trim();
}
