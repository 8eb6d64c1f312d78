// Play, slider, speed: the hands of a scene's clock.
import type { Clock } from '../clock';
import { element, iconButton, setIcon } from '../dom';
import { formatTime } from '../format';

const SPEEDS = [0.1, 0.25, 0.5, 1, 2, 5, 10];

export class Transport {
  readonly root = element('div', { class: 'transport', role: 'group', 'aria-label': 'Animation' });
  private readonly play = iconButton('play', 'Play (space)', () => this.clock.toggle());
  private readonly slider = element('input', { type: 'range', class: 'time-slider', min: 0, max: 1, step: 'any', value: 0, 'aria-label': 'Time' });
  private readonly readout = element('output', { class: 'time-readout' });
  private readonly note = element('p', { class: 'motion-note', dir: 'auto' });

  constructor(private readonly clock: Clock) {
    this.slider.addEventListener('input', () => {
      this.clock.playing = false;
      this.clock.seek(this.clock.start + Number(this.slider.value) * (this.clock.end - this.clock.start));
    });
    // The arrow keys step by frames wherever the focus is; the slider's own steps would be one per cent.
    this.slider.addEventListener('keydown', (event) => {
      if (event.key.startsWith('Arrow')) event.preventDefault();
    });
    const speed = element('select', { class: 'speed', 'aria-label': 'Speed', change: () => clock.setSpeed(Number(speed.value)) });
    for (const factor of SPEEDS) speed.append(element('option', { value: factor, selected: factor === 1 }, `${factor}×`));
    const row = element('div', { class: 'transport-row' }, this.play, this.slider, this.readout, speed);
    if (clock.motions.length > 1 || clock.motion < 0) row.prepend(this.motionChoice());
    this.root.append(row, this.note);
    clock.listen(() => this.update());
    this.update();
  }

  private motionChoice(): HTMLSelectElement {
    const choice = element('select', { class: 'motion', 'aria-label': 'Motion' });
    choice.append(element('option', { value: -1 }, 'At rest'));
    this.clock.motions.forEach((motion, k) => choice.append(element('option', { value: k }, motion.name || `Motion ${k + 1}`)));
    choice.addEventListener('change', () => this.clock.show(Number(choice.value), Number(choice.value) >= 0));
    this.clock.listen(() => {
      choice.value = String(this.clock.motion);
    });
    choice.value = String(this.clock.motion);
    return choice;
  }

  setLoaded(share: number): void {
    this.slider.style.setProperty('--loaded', `${100 * share}%`);
  }

  private update(): void {
    const { clock } = this;
    const shown = clock.motion >= 0;
    const length = clock.end - clock.start;
    const share = shown && length > 0 ? (clock.time - clock.start) / length : 0;
    this.slider.value = String(share);
    this.slider.disabled = !shown;
    this.slider.style.setProperty('--done', `${100 * share}%`);
    const text = shown ? formatTime(clock.time, clock.frameLength) : '';
    this.slider.setAttribute('aria-valuetext', text || 'at rest');
    this.readout.replaceChildren(text, ...(shown ? [element('span', { class: 'muted' }, ` / ${formatTime(clock.end, clock.frameLength)}`)] : []));
    setIcon(this.play, clock.playing ? 'pause' : 'play', clock.playing ? 'Pause (space)' : 'Play (space)');
    const note = shown ? clock.motions[clock.motion].note : undefined;
    this.note.textContent = note ?? '';
    this.note.hidden = !note;
  }
}
