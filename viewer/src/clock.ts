// The clock of a scene: which motion is shown, at what time, and whether it plays. Slider, plots and scene listen to it.
import { advanced, steppedTime } from './motion_time';
import type { MotionData } from './page_data';

export class Clock {
  motion = -1; // -1: the scene at rest
  time = 0;
  playing = false;
  speed = 1;
  private forward = true;
  private times: Float64Array[] = [];
  private listeners: (() => void)[] = [];

  constructor(readonly motions: MotionData[]) {}

  setTimes(times: Float64Array[]): void {
    this.times = times;
  }
  listen(listener: () => void): void {
    this.listeners.push(listener);
  }
  private tell(): void {
    for (const listener of this.listeners) listener();
  }

  timesOf(motion: number): Float64Array {
    return this.times[motion] ?? new Float64Array(1);
  }
  get start(): number {
    return this.timesOf(this.motion)[0];
  }
  get end(): number {
    const times = this.timesOf(this.motion);
    return times[times.length - 1];
  }
  // Length of a typical frame [s].
  get frameLength(): number {
    const count = this.timesOf(this.motion).length;
    return count > 1 ? (this.end - this.start) / (count - 1) : 0;
  }

  show(motion: number, play = false): void {
    this.motion = motion >= 0 && motion < this.motions.length ? motion : -1;
    this.time = this.start;
    this.forward = true;
    this.playing = play && this.motion >= 0;
    this.tell();
  }
  seek(time: number): void {
    if (this.motion < 0) return;
    this.time = Math.min(Math.max(time, this.start), this.end);
    this.tell();
  }
  step(frames: number): void {
    if (this.motion < 0) return;
    this.playing = false;
    this.seek(steppedTime(this.timesOf(this.motion), this.time, frames));
  }
  setSpeed(speed: number): void {
    this.speed = speed;
    this.tell();
  }
  toggle(): void {
    if (this.motion < 0) {
      if (this.motions.length) this.show(0, true);
      return;
    }
    this.playing = !this.playing;
    if (this.playing && this.time >= this.end && this.motions[this.motion].playback === 'once') this.time = this.start;
    this.tell();
  }
  // `elapsed` seconds of real time later.
  tick(elapsed: number): void {
    if (!this.playing) return;
    const playback = this.motions[this.motion].playback;
    const next = advanced({ time: this.time, forward: this.forward, playing: true }, elapsed * this.speed, this.start, this.end, playback);
    [this.time, this.forward, this.playing] = [next.time, next.forward, next.playing];
    this.tell();
  }
}
