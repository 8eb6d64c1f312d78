// Curves and points in a plane, and in polar form, drawn as SVG: any order of x, equal axes where a metre should be a metre.
import type { Buffers } from './buffers';
import { seriesColour } from './colour';
import { element, svg } from './dom';
import { formatNumber, niceTicks, withUnit } from './format';
import type { PlotData, SeriesData } from './page_data';
import { isDark, onThemeChange } from './theme';

interface Curve {
  data: SeriesData;
  x: Float64Array;
  y: Float32Array;
}
type Project = (x: number, y: number) => [number, number];

interface Size {
  width: number;
  height: number;
}

export async function renderXyPlot(data: PlotData, buffers: Buffers): Promise<HTMLElement> {
  const shared = data.x ? await buffers.quantised(data.x) : new Float64Array();
  const curves: Curve[] = [];
  for (const series of data.series) {
    curves.push({ data: series, x: series.x ? await buffers.quantised(series.x) : shared, y: await buffers.float32(series.y, 1) });
  }
  const canvas = svg('svg', { role: 'img', 'aria-label': data.title || 'plot', class: 'xy-plot' });
  // Drawn at the size it has, so that the letters are as large on a phone as on a desk.
  const size = { width: 560, height: 370 };
  const draw = () => {
    canvas.setAttribute('viewBox', `0 0 ${size.width} ${size.height}`);
    canvas.replaceChildren(...(data.plot === 'polar' ? polar(data, curves, size) : plane(data, curves, size)));
  };
  draw();
  onThemeChange(draw);
  new ResizeObserver(([entry]) => {
    const width = Math.round(entry.contentRect.width);
    if (width < 50 || width === size.width) return;
    [size.width, size.height] = [width, Math.round(Math.min(Math.max(0.66 * width, 250), 420))];
    draw();
  }).observe(canvas);
  const legend = element('div', { class: 'plot-legend' });
  const names = () =>
    curves.map((curve, k) => {
      const chip = element('span', { class: 'chip' });
      chip.style.background = curve.data.colour ?? seriesColour(k, isDark());
      return element('span', { dir: 'auto' }, chip, curve.data.name);
    });
  if (curves.length > 1 || curves[0]?.data.name) {
    legend.append(...names());
    onThemeChange(() => legend.replaceChildren(...names()));
  }
  return element('figure', { class: 'card plot-card' }, element('figcaption', { dir: 'auto' }, data.title), canvas, legend);
}

export function range(curves: { values: ArrayLike<number> }[]): [number, number] {
  let [low, high] = [Infinity, -Infinity];
  for (const { values } of curves) {
    for (let i = 0; i < values.length; ++i) {
      if (!Number.isFinite(values[i])) continue;
      low = Math.min(low, values[i]);
      high = Math.max(high, values[i]);
    }
  }
  if (low > high) return [0, 1];
  const margin = high > low ? 0.05 * (high - low) : Math.abs(high) * 0.1 || 1;
  return [low - margin, high + margin];
}

function drawCurves(curves: Curve[], project: Project, describe: (x: number, y: number) => string): SVGElement[] {
  return curves.flatMap(({ data, x, y }, k) => {
    const colour = data.colour ?? seriesColour(k, isDark());
    const parts: SVGElement[] = [];
    const usable = (i: number) => Number.isFinite(y[i]);
    if (data.style !== 'points') {
      let path = '';
      for (let i = 0; i < y.length; ++i) {
        if (!usable(i)) continue;
        const [px, py] = project(x[i], y[i]);
        path += `${i > 0 && usable(i - 1) ? 'L' : 'M'}${px.toFixed(1)} ${py.toFixed(1)}`;
      }
      parts.push(svg('path', { d: path, fill: 'none', stroke: colour, 'stroke-width': 2, 'stroke-linejoin': 'round', ...(data.style === 'dashed' ? { 'stroke-dasharray': '7 5' } : {}) }));
    }
    if (data.style.includes('points')) {
      for (let i = 0; i < y.length; ++i) {
        if (!usable(i)) continue;
        const [px, py] = project(x[i], y[i]);
        const text = [data.name, describe(x[i], y[i])].filter(Boolean).join(': ');
        parts.push(svg('circle', { cx: px.toFixed(1), cy: py.toFixed(1), r: 3.5, fill: colour, 'fill-opacity': 0.85 }, svg('title', {}, text)));
      }
    }
    return parts;
  });
}

function plane(data: PlotData, curves: Curve[], { width, height }: Size): SVGElement[] {
  const [left, right, top, bottom] = [72, width - 16, 12, height - 52];
  let [x0, x1] = range(curves.map((curve) => ({ values: curve.x })));
  const log = (value: number) => (data.logarithmicY ? Math.log10(value) : value);
  let [y0, y1] = range(curves.map((curve) => ({ values: curve.y.map(log) })));
  if (data.equalAxes) {
    const scale = Math.max((x1 - x0) / (right - left), (y1 - y0) / (bottom - top));
    const [cx, cy] = [(x0 + x1) / 2, (y0 + y1) / 2];
    [x0, x1] = [cx - (scale * (right - left)) / 2, cx + (scale * (right - left)) / 2];
    [y0, y1] = [cy - (scale * (bottom - top)) / 2, cy + (scale * (bottom - top)) / 2];
  }
  const px = (x: number) => left + ((x - x0) / (x1 - x0)) * (right - left);
  const py = (y: number) => bottom - ((y - y0) / (y1 - y0)) * (bottom - top);
  const parts: SVGElement[] = [];
  for (const tick of niceTicks(x0, x1, width / 90)) {
    parts.push(svg('line', { class: 'grid', x1: px(tick), x2: px(tick), y1: top, y2: bottom }));
    const text = formatNumber(tick, 4);
    // Inside the picture, also where the axis ends with it.
    parts.push(svg('text', { class: 'tick', x: Math.min(px(tick), width - 3.6 * text.length), y: bottom + 18, 'text-anchor': 'middle' }, text));
  }
  const yTicks = data.logarithmicY ? niceTicks(y0, y1, 5).filter(Number.isInteger) : niceTicks(y0, y1, 5);
  for (const tick of yTicks) {
    parts.push(svg('line', { class: 'grid', x1: left, x2: right, y1: py(tick), y2: py(tick) }));
    parts.push(svg('text', { class: 'tick', x: left - 8, y: py(tick), dy: '0.35em', 'text-anchor': 'end' }, formatNumber(data.logarithmicY ? 10 ** tick : tick, 4)));
  }
  const label = (text: string, unit: string) => (unit ? `${text} [${unit}]` : text);
  parts.push(svg('text', { class: 'axis-label', x: (left + right) / 2, y: height - 10, 'text-anchor': 'middle' }, label(data.xLabel, data.xUnit)));
  parts.push(svg('text', { class: 'axis-label', transform: `translate(16 ${(top + bottom) / 2}) rotate(-90)`, 'text-anchor': 'middle' }, label(data.yLabel, data.yUnit)));
  const describe = (x: number, y: number) => `${withUnit(formatNumber(x), data.xUnit)}, ${withUnit(formatNumber(y), data.yUnit)}`;
  return [...parts, ...drawCurves(curves, (x, y) => [px(x), py(log(y))], describe)];
}

function polar(data: PlotData, curves: Curve[], { width, height }: Size): SVGElement[] {
  const [cx, cy, radius] = [width / 2, height / 2, Math.min(width, height) / 2 - 34];
  let largest = 0;
  for (const { y } of curves) for (const value of y) if (Number.isFinite(value)) largest = Math.max(largest, value);
  largest = largest || 1;
  const parts: SVGElement[] = [];
  const labels: SVGElement[] = [];
  const ticks = niceTicks(0, largest, 4);
  for (const tick of ticks.slice(1)) {
    parts.push(svg('circle', { class: 'grid', cx, cy, r: (tick / largest) * radius, fill: 'none' }));
    // Between two spokes, above the curves.
    const [dx, dy] = [Math.cos((75 * Math.PI) / 180), Math.sin((75 * Math.PI) / 180)].map((c) => (c * tick * radius) / largest);
    labels.push(svg('text', { class: 'tick halo', x: cx + dx, y: cy - dy, dy: '0.35em', 'text-anchor': 'middle' }, withUnit(formatNumber(tick, 3), data.yUnit)));
  }
  for (let degrees = 0; degrees < 360; degrees += 30) {
    const angle = (degrees * Math.PI) / 180;
    const [ux, uy] = [Math.cos(angle), -Math.sin(angle)];
    parts.push(svg('line', { class: 'grid', x1: cx, y1: cy, x2: cx + ux * radius, y2: cy + uy * radius }));
    parts.push(svg('text', { class: 'tick', x: cx + ux * (radius + 18), y: cy + uy * (radius + 18), dy: '0.35em', 'text-anchor': 'middle' }, `${degrees}°`));
  }
  const project: Project = (angle, r) => [cx + Math.cos(angle) * (Math.max(r, 0) / largest) * radius, cy - Math.sin(angle) * (Math.max(r, 0) / largest) * radius];
  const describe = (angle: number, r: number) => `${formatNumber((angle * 180) / Math.PI)}°, ${withUnit(formatNumber(r), data.yUnit)}`;
  return [...parts, ...drawCurves(curves, project, describe), ...labels];
}
