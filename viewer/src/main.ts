// Builds the page from its head: sections in order, scenes first where others link to them.
import './style/tokens.css';
import './style/page.css';
import './style/scene.css';
import './style/print.css';

import { Buffers, embeddedSource, fileSource, type PackedSource, servedSource } from './buffers';
import { element, icon, iconButton } from './dom';
import { renderDownloads } from './downloads';
import { renderFacts } from './facts';
import { Help, listenToKeys } from './keyboard';
import { renderMarkup } from './markup';
import type { BlockData, PageData } from './page_data';
import { renderPictures } from './pictures';
import { renderTimePlot } from './plot_time';
import { renderXyPlot } from './plot_xy';
import { preparePrinting } from './printing';
import { staticScene } from './scene/static_scene';
import { SceneView } from './scene/scene_view';
import { renderTable } from './table';
import { renderTimeline } from './timeline';
import { startTheme, toggleTheme } from './theme';

const root = document.getElementById('prehend')!;

function header(page: PageData, help: Help): HTMLElement {
  const tools = element(
    'div',
    { class: 'page-tools', role: 'toolbar', 'aria-label': 'Page' },
    iconButton('theme', 'Light or dark (t)', toggleTheme),
    iconButton('print', 'Print', () => window.print()),
    iconButton('help', 'Help (?)', () => help.toggle()),
  );
  const head = element('header', { class: 'page-head' }, element('div', { class: 'page-title' }, element('h1', { dir: 'auto' }, page.title), tools));
  if (page.subtitle) head.append(element('p', { class: 'subtitle', dir: 'auto' }, page.subtitle));
  if (page.verdict !== 'none') {
    head.append(element('p', { class: `verdict ${page.verdict}`, dir: 'auto' }, icon(page.verdict), element('span', {}, page.verdictSentence)));
  }
  return head;
}

async function block(data: BlockData, buffers: Buffers, scenes: SceneView[], sceneNumber: number): Promise<HTMLElement> {
  switch (data.kind) {
    case 'text':
      return renderMarkup(data.markup);
    case 'facts':
      return renderFacts(data);
    case 'downloads':
      return renderDownloads(data, buffers);
    case 'pictures':
      return renderPictures(data, buffers);
    case 'table':
      return renderTable(data, () => {
        const view = data.scene === undefined ? undefined : scenes[data.scene];
        return view && { select: (body) => view.select(body), show: (motion) => view.clock.show(motion, true) };
      });
    case 'plot':
      if (data.plot !== 'time') return renderXyPlot(data, buffers);
      return renderTimePlot(data, buffers, () => (data.scene === undefined ? undefined : scenes[data.scene].clock));
    case 'timeline':
      return renderTimeline(data, () => (data.scene === undefined ? undefined : scenes[data.scene].clock));
    case 'scene': {
      const view = scenes[sceneNumber];
      return view.root;
    }
  }
}

async function build(page: PageData, source: PackedSource): Promise<void> {
  const buffers = new Buffers(page.buffers, source);
  const help = new Help();
  const all = page.sections.flatMap((section) => section.blocks);
  const scenes = all.filter((data) => data.kind === 'scene').map((data) => new SceneView(data, buffers));
  const main = element('main', {});
  root.replaceChildren(header(page, help), main, element('footer', { class: 'page-foot', dir: 'auto' }, page.footer), help.dialog);
  let active = 0;
  scenes.forEach((view, k) => view.root.addEventListener('pointerdown', () => (active = k)));
  let sceneNumber = 0;
  const work: Promise<void>[] = [];
  for (const section of page.sections) {
    const part = element('section', { class: 'page-section' });
    if (section.heading) part.append(element('h2', { dir: 'auto' }, section.heading));
    const grid = element('div', { class: 'blocks' });
    part.append(grid);
    main.append(part);
    for (const data of section.blocks) {
      const slot = grid.appendChild(element('div', { class: `block ${data.width} block-${data.kind}` }));
      const number = data.kind === 'scene' ? sceneNumber++ : -1;
      try {
        slot.append(await block(data, buffers, scenes, number));
      } catch (error) {
        slot.append(problem(`This part could not be shown: ${(error as Error).message}`));
      }
      if (number >= 0) work.push(startScene(scenes[number]));
    }
  }
  listenToKeys(() => scenes[active], help);
  preparePrinting(scenes);
  await Promise.all(work);
  document.documentElement.dataset.ready = 'true';
  // For measurements: when everything stood on the page [ms since it was opened].
  document.documentElement.dataset.readyMs = performance.now().toFixed(0);
}

async function startScene(view: SceneView): Promise<void> {
  try {
    await view.load();
  } catch (error) {
    staticScene(view, error as Error);
  }
}

function problem(text: string): HTMLElement {
  return element('p', { class: 'notice', role: 'alert' }, text);
}

// A folder's page that was opened from disk may not read its neighbour by itself; the reader may hand it over.
function askForData(page: PageData): void {
  const chooser = element('input', { type: 'file', accept: '.bin', 'aria-label': 'data.bin' });
  chooser.addEventListener('change', () => {
    const file = chooser.files?.[0];
    if (file) void build(page, fileSource(file));
  });
  root.replaceChildren(
    header(page, new Help()),
    element(
      'div',
      { class: 'notice data-notice', role: 'alert' },
      element('p', {}, 'The numbers of this report lie in the file ', element('code', {}, page.dataUrl!), ' beside it, and a browser does not let a page from disk read it.'),
      element('p', {}, 'Run ', element('code', {}, 'prehend view'), ' with the name of the folder, or choose the file here:'),
      chooser,
    ),
  );
}

async function start(): Promise<void> {
  startTheme();
  const head = document.getElementById('prehend-page')?.textContent;
  if (!head) throw new Error('the page carries no description');
  const page = JSON.parse(head) as PageData;
  if (page.format !== 1) throw new Error(`the page has format ${page.format}; this viewer reads format 1`);
  const embedded = document.getElementById('prehend-data')?.textContent ?? '';
  if (page.dataUrl && location.protocol === 'file:') return askForData(page);
  await build(page, page.dataUrl ? servedSource(page.dataUrl) : embeddedSource(embedded));
}

start().catch((error: Error) => {
  root.append(problem(`This report could not be shown: ${error.message}`));
  document.documentElement.dataset.ready = 'failed';
});
