// Time of a motion: which frame a time falls on, and how time goes on while a motion plays.
import type { Playback } from './page_data';

export interface FramePosition {
  frame: number; // the last frame at or before the time
  fraction: number; // how far towards the next one, in [0, 1)
}

export function frameAt(times: ArrayLike<number>, time: number): FramePosition {
  const last = times.length - 1;
  if (last < 1 || !(time > times[0])) return { frame: 0, fraction: 0 };
  if (time >= times[last]) return { frame: last, fraction: 0 };
  let low = 0;
  let high = last;
  while (high - low > 1) {
    const middle = (low + high) >> 1;
    if (times[middle] <= time) low = middle;
    else high = middle;
  }
  const span = times[high] - times[low];
  return { frame: low, fraction: span > 0 ? (time - times[low]) / span : 0 };
}

export interface PlayState {
  time: number;
  forward: boolean;
  playing: boolean;
}

// `elapsed` seconds of the motion later; a long pause of the browser never jumps past an end twice.
export function advanced(state: PlayState, elapsed: number, start: number, end: number, playback: Playback): PlayState {
  const length = end - start;
  if (!(length > 0)) return { ...state, time: start, playing: false };
  let { time, forward } = state;
  time += forward ? elapsed : -elapsed;
  if (playback === 'once') {
    return time >= end ? { time: end, forward, playing: false } : { time: Math.max(time, start), forward, playing: true };
  }
  if (playback === 'loop') return { time: start + modulo(time - start, length), forward: true, playing: true };
  let phase = modulo(forward ? time - start : 2 * length - (time - start), 2 * length);
  forward = phase <= length;
  phase = forward ? phase : 2 * length - phase;
  return { time: start + phase, forward, playing: true };
}

function modulo(value: number, length: number): number {
  return value - Math.floor(value / length) * length;
}

// The time of the frame `steps` away from the one shown; a time between two frames counts as the earlier one when
// stepping forward and as the later one when stepping back.
export function steppedTime(times: ArrayLike<number>, time: number, steps: number): number {
  const { frame, fraction } = frameAt(times, time);
  const from = steps < 0 && fraction > 1e-9 ? frame + 1 : frame;
  return times[Math.min(Math.max(from + steps, 0), times.length - 1)];
}
