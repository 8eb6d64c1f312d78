import { describe, expect, it } from 'vitest';

import type { Buffers } from '../../src/buffers';
import type { MotionData, PoseNumbers } from '../../src/page_data';
import { MotionPlayer } from '../../src/scene/motion_player';

// Five frames in blocks of two; one body that moves one metre and turns a little in each.
const half = Math.round(2 ** 16 * Math.SQRT1_2);
const frames = [0, 1, 2, 3, 4].map((f) => [1000 * f, 0, 0, f % 2 ? half : 2 ** 16, 0, 0, f % 2 ? half : 0]);
const asked: number[] = [];
const buffers = {
  integers: async (buffer: number) => {
    asked.push(buffer);
    if (buffer < 10) return Int32Array.from(frames.slice(2 * buffer, 2 * buffer + 2).flat());
    return Int32Array.from(buffer === 12 ? [1] : [0, 2]);
  },
  float32: async () => Float32Array.from({ length: 12 }, (_, k) => k),
} as unknown as Buffers;
const data: MotionData = {
  name: 'm',
  playback: 'once',
  frames: 5,
  times: { buffer: 0, offset: 0, step: 1 },
  blockFrames: 2,
  bodies: [0],
  positionStep: 1e-3,
  rotationStep: 2 ** -16,
  poseBlocks: [0, 1, 2],
  arrows: [{ layer: 0, blocks: [[10, 20], [11, 21], [12, 22]], longest: 1 }],
};

describe('a motion', () => {
  const player = new MotionPlayer(data, Float64Array.from([0, 1, 2, 3, 4]), buffers);
  const pose: PoseNumbers = [0, 0, 0, 1, 0, 0, 0];

  it('waits for its blocks and unpacks each once', async () => {
    expect(player.poseAt(0, 0, pose)).toBe(false);
    await Promise.all([player.load(0), player.load(0)]);
    await player.load(0);
    expect(asked.filter((buffer) => buffer === 0).length).toBe(1);
    expect(player.loaded).toBeCloseTo(1 / 3);
    expect(player.poseAt(0, 1, pose)).toBe(true);
    expect(player.poseAt(0, 2, pose)).toBe(false);
    await player.load(1);
    await player.load(2);
    expect(player.loaded).toBe(1);
  });
  it('goes straight between frames, also across blocks, with a unit quaternion', () => {
    player.poseAt(0, 1.5, pose);
    expect(pose[0]).toBeCloseTo(1.5, 9);
    expect(Math.hypot(...pose.slice(3))).toBeCloseTo(1, 12);
    // Half way between a quarter turn about z and none: an eighth turn.
    expect(2 * Math.atan2(pose[6], pose[3])).toBeCloseTo(Math.PI / 4, 4);
    player.poseAt(0, 99, pose);
    expect(pose[0]).toBeCloseTo(4, 9);
  });
  it('gives the arrows of a frame', () => {
    expect(player.arrowsAt(0, 0)!.length).toBe(0);
    expect(player.arrowsAt(0, 1.9)!.length).toBe(12);
    expect([...player.arrowsAt(0, 4)!]).toEqual([0, 1, 2, 3, 4, 5]);
  });
});
