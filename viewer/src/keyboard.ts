// One set of keys for the page; they act on the scene that was used last.
import { element, iconButton } from './dom';
import type { SceneView } from './scene/scene_view';
import { toggleTheme } from './theme';

export const KEYS: [string, string][] = [
  ['space', 'play or pause'],
  ['← →', 'one frame back or forward; with shift ten'],
  ['home end', 'first or last frame'],
  ['f', 'fit the view; around the selected body when there is one'],
  ['0', 'the first view again'],
  ['l', 'show or hide the layers'],
  ['t', 'light or dark'],
  ['esc', 'let go of the selection, close this help'],
  ['?', 'this help'],
];

const MOUSE: [string, string][] = [
  ['drag', 'turn the view; two fingers or the right button move it'],
  ['wheel, pinch', 'nearer or farther'],
  ['click a body', 'its properties; a click on a table row shows it in the scene'],
  ['drag in a plot', 'sets the time'],
];

export class Help {
  readonly dialog = element('dialog', { class: 'help', 'aria-label': 'Help' });
  constructor() {
    const list = (rows: [string, string][], keys: boolean) =>
      element('dl', {}, ...rows.flatMap(([name, text]) => [element('dt', {}, ...(keys ? name.split(' ').map((key) => element('kbd', {}, key)) : [name])), element('dd', {}, text)]));
    this.dialog.append(
      element('header', {}, element('h2', {}, 'Keys and gestures'), iconButton('close', 'Close', () => this.dialog.close())),
      list(KEYS, true),
      list(MOUSE, false),
    );
    this.dialog.addEventListener('click', (event) => event.target === this.dialog && this.dialog.close());
  }
  toggle(): void {
    if (this.dialog.open) this.dialog.close();
    else this.dialog.showModal();
  }
}

// Keys that a focused control uses itself are left to it.
function isTaken(target: EventTarget | null, key: string): boolean {
  if (!(target instanceof HTMLElement)) return false;
  if (target.matches('select, textarea, input:not([type=range]):not([type=checkbox])')) return true;
  if (key === ' ' || key === 'Enter') return target.matches('button, a, input[type=checkbox], tr');
  return target.matches('input.stretch') && key.startsWith('Arrow');
}

export function listenToKeys(scene: () => SceneView | undefined, help: Help): void {
  document.addEventListener('keydown', (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || isTaken(event.target, event.key)) return;
    if (event.key === '?') return help.toggle();
    if (help.dialog.open) return;
    if (event.key === 't') return toggleTheme();
    const view = scene();
    if (!view) return;
    const { clock } = view;
    const acts: Record<string, () => void> = {
      ' ': () => clock.toggle(),
      ArrowLeft: () => clock.step(event.shiftKey ? -10 : -1),
      ArrowRight: () => clock.step(event.shiftKey ? 10 : 1),
      Home: () => clock.seek(clock.start),
      End: () => clock.seek(clock.end),
      f: () => view.fit(),
      '0': () => view.home(),
      l: () => view.togglePanel(),
      Escape: () => view.select(-1),
    };
    const needsMotion = [' ', 'ArrowLeft', 'ArrowRight', 'Home', 'End'].includes(event.key);
    if (!(event.key in acts) || (needsMotion && !clock.motions.length)) return;
    event.preventDefault();
    acts[event.key]();
  });
}
