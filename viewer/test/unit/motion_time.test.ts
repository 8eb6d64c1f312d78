import { describe, expect, it } from 'vitest';

import { advanced, frameAt, steppedTime } from '../../src/motion_time';

const times = [0, 1, 1, 4];

describe('frames', () => {
  it('lie at or before the time', () => {
    expect(frameAt(times, -1)).toEqual({ frame: 0, fraction: 0 });
    expect(frameAt(times, 0.25)).toEqual({ frame: 0, fraction: 0.25 });
    expect(frameAt(times, 1)).toEqual({ frame: 2, fraction: 0 });
    expect(frameAt(times, 2.5)).toEqual({ frame: 2, fraction: 0.5 });
    expect(frameAt(times, 9)).toEqual({ frame: 3, fraction: 0 });
    expect(frameAt([5], 7)).toEqual({ frame: 0, fraction: 0 });
  });
  it('agree with a plain search on uneven times', () => {
    const uneven = Array.from({ length: 200 }, (_, k) => k + 0.5 * Math.sin(k));
    for (let t = -1; t < 202; t += 0.37) {
      const plain = Math.max(0, uneven.filter((time) => time <= t).length - 1);
      expect(frameAt(uneven, t).frame).toBe(plain);
    }
  });
  it('are stepped one by one from between two', () => {
    expect(steppedTime([0, 1, 2], 0.5, 1)).toBe(1);
    expect(steppedTime([0, 1, 2], 0.5, -1)).toBe(0);
    expect(steppedTime([0, 1, 2], 1, -1)).toBe(0);
    expect(steppedTime([0, 1, 2], 2, 1)).toBe(2);
    expect(steppedTime([0, 1, 2], 0, 10)).toBe(2);
  });
});

describe('playing', () => {
  const at = (time: number, forward = true) => ({ time, forward, playing: true });
  it('stops at the end', () => {
    expect(advanced(at(3.9), 0.5, 0, 4, 'once')).toEqual({ time: 4, forward: true, playing: false });
    expect(advanced(at(1), 0.5, 0, 4, 'once')).toEqual({ time: 1.5, forward: true, playing: true });
  });
  it('starts again', () => {
    expect(advanced(at(3.5), 1, 0, 4, 'loop').time).toBeCloseTo(0.5);
    expect(advanced(at(13.5), 9, 10, 14, 'loop').time).toBeCloseTo(10.5);
  });
  it('goes back and forth, also over several turns at once', () => {
    expect(advanced(at(3.5), 1, 0, 4, 'back-and-forth')).toMatchObject({ time: 3.5, forward: false });
    expect(advanced(at(0.5, false), 1, 0, 4, 'back-and-forth')).toMatchObject({ time: 0.5, forward: true });
    expect(advanced(at(1), 16, 0, 4, 'back-and-forth').time).toBeCloseTo(1);
  });
  it('does not divide by an empty span', () => {
    expect(advanced(at(2), 1, 2, 2, 'loop')).toEqual({ time: 2, forward: true, playing: false });
  });
});
