// The numbers of a page, unpacked piece by piece: embedded as base64, or read from data.bin beside the page.
// prehend/report/html/buffer_store.h describes the packing.
import { unzlibSync } from 'fflate';

import type { BufferRef, PageData } from './page_data';

export type PackedSource = (offset: number, size: number) => Promise<Uint8Array>;

export function bytesOfBase64(text: string): Uint8Array {
  const fast = (Uint8Array as unknown as { fromBase64?: (text: string) => Uint8Array }).fromBase64;
  if (fast) return fast.call(Uint8Array, text);
  const binary = atob(text);
  const bytes = new Uint8Array(binary.length);
  for (let i = 0; i < binary.length; ++i) bytes[i] = binary.charCodeAt(i);
  return bytes;
}

// Every buffer starts at a multiple of three bytes, so its text is cut out and decoded alone.
export function embeddedSource(base64: string): PackedSource {
  return async (offset, size) => {
    const text = base64.slice((offset / 3) * 4, (offset / 3) * 4 + Math.ceil(size / 3) * 4);
    return bytesOfBase64(text).subarray(0, size);
  };
}

// Asks the server for the bytes of one buffer; a server that knows no ranges sends the whole file once.
export function servedSource(url: string, fetcher: typeof fetch = fetch): PackedSource {
  let whole: Promise<Uint8Array> | undefined;
  return async (offset, size) => {
    if (!whole) {
      const answer = await fetcher(url, { headers: { Range: `bytes=${offset}-${offset + size - 1}` } });
      if (!answer.ok) throw new Error(`${url}: the server answered ${answer.status}`);
      if (answer.status === 206) return new Uint8Array(await answer.arrayBuffer());
      whole ??= answer.arrayBuffer().then((bytes) => new Uint8Array(bytes));
    }
    return (await whole).subarray(offset, offset + size);
  };
}

export function fileSource(file: Blob): PackedSource {
  return async (offset, size) => new Uint8Array(await file.slice(offset, offset + size).arrayBuffer());
}

export async function inflated(packed: Uint8Array, size: number): Promise<Uint8Array> {
  let bytes: Uint8Array;
  if (typeof DecompressionStream === 'undefined') {
    bytes = unzlibSync(packed, { out: new Uint8Array(size) });
  } else {
    const stream = new Blob([packed as BlobPart]).stream().pipeThrough(new DecompressionStream('deflate'));
    bytes = new Uint8Array(await new Response(stream).arrayBuffer());
  }
  if (bytes.length !== size) throw new Error(`a buffer holds ${bytes.length} bytes where ${size} were expected`);
  return bytes;
}

// Byte planes -> zigzag -> differences to the row above -> the integers themselves.
export function integersOf(planes: Uint8Array, columns: number): Int32Array {
  const count = planes.length >>> 2;
  const values = new Int32Array(count);
  for (let i = 0; i < count; ++i) {
    const zigzag = planes[i] | (planes[i + count] << 8) | (planes[i + 2 * count] << 16) | (planes[i + 3 * count] << 24);
    const difference = (zigzag >>> 1) ^ -(zigzag & 1);
    values[i] = i >= columns ? (values[i - columns] + difference) | 0 : difference;
  }
  return values;
}

export class Buffers {
  constructor(
    private readonly index: PageData['buffers'],
    private readonly source: PackedSource,
  ) {}

  async bytes(buffer: number): Promise<Uint8Array> {
    const entry = this.index[buffer];
    if (!entry) throw new Error(`the page names buffer ${buffer}, which it does not have`);
    const [offset, packed, unpacked] = entry;
    return inflated(await this.source(offset, packed), unpacked);
  }

  async integers(buffer: number, columns: number): Promise<Int32Array> {
    return integersOf(await this.bytes(buffer), columns);
  }

  async float32(ref: Pick<BufferRef, 'buffer'>, columns: number): Promise<Float32Array> {
    return new Float32Array((await this.integers(ref.buffer, columns)).buffer);
  }

  // Doubles, because a time axis needs more than seven digits.
  async quantised(ref: { buffer: number; offset: number; step: number }): Promise<Float64Array> {
    return Float64Array.from(await this.integers(ref.buffer, 1), (value) => ref.offset + ref.step * value);
  }
}
