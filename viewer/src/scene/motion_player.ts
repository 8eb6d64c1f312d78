// Poses and arrows of one motion at any time. Blocks of frames are unpacked when they are first needed and then kept.
import type { Buffers } from '../buffers';
import { frameAt } from '../motion_time';
import type { MotionData, PoseNumbers } from '../page_data';

interface ArrowBlock {
  first: Int32Array; // index of the first arrow of each frame, one more at the end
  numbers: Float32Array; // point and vector of each arrow
}

export class MotionPlayer {
  private readonly poses: (Int32Array | undefined)[];
  private readonly arrows: (ArrowBlock | undefined)[][];
  private readonly pending = new Map<string, Promise<void>>();

  constructor(
    readonly data: MotionData,
    readonly times: Float64Array,
    private readonly buffers: Buffers,
  ) {
    this.poses = data.poseBlocks.map(() => undefined);
    this.arrows = data.arrows.map((track) => track.blocks.map(() => undefined));
  }

  private get columns(): number {
    return 7 * this.data.bodies.length;
  }
  get blockCount(): number {
    return Math.max(this.poses.length, ...this.arrows.map((blocks) => blocks.length), 0);
  }
  // Share of the blocks that are here.
  get loaded(): number {
    let here = 0;
    for (let b = 0; b < this.blockCount; ++b) here += this.has(b) ? 1 : 0;
    return this.blockCount ? here / this.blockCount : 1;
  }
  has(block: number): boolean {
    return (block >= this.poses.length || !!this.poses[block]) && this.arrows.every((blocks) => block >= blocks.length || !!blocks[block]);
  }
  blockAt(time: number): number {
    return Math.floor(frameAt(this.times, time).frame / this.data.blockFrames);
  }

  load(block: number): Promise<void> {
    if (block >= this.blockCount || this.has(block)) return Promise.resolve();
    const key = String(block);
    let work = this.pending.get(key);
    if (!work) {
      work = this.unpack(block).finally(() => this.pending.delete(key));
      this.pending.set(key, work);
    }
    return work;
  }

  private async unpack(block: number): Promise<void> {
    if (block < this.poses.length) this.poses[block] ??= await this.buffers.integers(this.data.poseBlocks[block], this.columns);
    for (const [k, track] of this.data.arrows.entries()) {
      if (block >= track.blocks.length) continue;
      const [countBuffer, numberBuffer] = track.blocks[block];
      const counts = await this.buffers.integers(countBuffer, 1);
      const first = new Int32Array(counts.length + 1);
      for (let f = 0; f < counts.length; ++f) first[f + 1] = first[f] + counts[f];
      this.arrows[k][block] = { first, numbers: await this.buffers.float32({ buffer: numberBuffer }, 6) };
    }
  }

  private row(frame: number): [Int32Array, number] | undefined {
    const block = Math.floor(frame / this.data.blockFrames);
    const table = this.poses[block];
    return table && [table, (frame - block * this.data.blockFrames) * this.columns];
  }

  // Pose of track k, between frames by straight lines and normalised quaternions; false while the block is not here.
  poseAt(k: number, time: number, pose: PoseNumbers): boolean {
    const { frame, fraction } = frameAt(this.times, time);
    const here = this.row(frame);
    if (!here) return false;
    const next = fraction > 0 ? (this.row(frame + 1) ?? here) : here;
    let norm = 0;
    for (let i = 0; i < 7; ++i) {
      const a = here[0][here[1] + 7 * k + i];
      const value = a + (next[0][next[1] + 7 * k + i] - a) * fraction;
      pose[i] = value * (i < 3 ? this.data.positionStep : this.data.rotationStep);
      if (i >= 3) norm += pose[i] * pose[i];
    }
    norm = Math.sqrt(norm) || 1;
    for (let i = 3; i < 7; ++i) pose[i] /= norm;
    return true;
  }

  arrowsAt(track: number, time: number): Float32Array | undefined {
    const { frame } = frameAt(this.times, time);
    const constant = this.data.arrows[track].constant;
    const block = constant ? 0 : Math.floor(frame / this.data.blockFrames);
    const here = this.arrows[track][block];
    if (!here) return undefined;
    if (constant) return here.numbers;
    const f = frame - block * this.data.blockFrames;
    return here.numbers.subarray(6 * here.first[f], 6 * here.first[f + 1]);
  }
}
