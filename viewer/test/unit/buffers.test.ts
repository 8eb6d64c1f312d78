import { deflateSync } from 'node:zlib';

import { afterEach, describe, expect, it, vi } from 'vitest';

import { Buffers, bytesOfBase64, embeddedSource, fileSource, inflated, integersOf, servedSource } from '../../src/buffers';

// The packing of prehend/report/buffer_store.cpp, written anew.
function planesOf(rows: number[][]): Uint8Array {
  const flat = rows.flat();
  const columns = rows[0].length;
  const planes = new Uint8Array(4 * flat.length);
  flat.forEach((value, i) => {
    const difference = (value - (i >= columns ? flat[i - columns] : 0)) | 0;
    const zigzag = ((difference << 1) ^ (difference >> 31)) >>> 0;
    for (let plane = 0; plane < 4; ++plane) planes[plane * flat.length + i] = (zigzag >>> (8 * plane)) & 255;
  });
  return planes;
}

function packed(arrays: Uint8Array[]): { index: [number, number, number][]; bytes: Uint8Array } {
  const index: [number, number, number][] = [];
  const parts: Buffer[] = [];
  let offset = 0;
  for (const array of arrays) {
    const small = deflateSync(array);
    const padded = Buffer.concat([small, Buffer.alloc((3 - (small.length % 3)) % 3)]);
    index.push([offset, small.length, array.length]);
    parts.push(padded);
    offset += padded.length;
  }
  return { index, bytes: new Uint8Array(Buffer.concat(parts)) };
}

const TABLE = [
  [0, -5, 7],
  [1, -2147483648, 2147483647],
  [1, 2147483647, -2147483648],
];

describe('integers', () => {
  it('come back with their extremes and wrapped differences', () => {
    expect([...integersOf(planesOf(TABLE), 3)]).toEqual(TABLE.flat());
  });
  it('may be none', () => {
    expect(integersOf(new Uint8Array(), 3).length).toBe(0);
  });
});

describe('sources', () => {
  const floats = new Float32Array([1.5, NaN, Infinity, -0.25]);
  const { index, bytes } = packed([planesOf(TABLE), planesOf([...new Int32Array(floats.buffer)].map((value) => [value]))]);
  const check = async (buffers: Buffers) => {
    expect([...(await buffers.integers(0, 3))]).toEqual(TABLE.flat());
    expect([...(await buffers.float32({ buffer: 1 }, 1))]).toEqual([1.5, NaN, Infinity, -0.25]);
  };

  it('embedded: each buffer is cut out of the base64 text alone', () => check(new Buffers(index, embeddedSource(Buffer.from(bytes).toString('base64')))));
  it('a chosen file', () => check(new Buffers(index, fileSource(new Blob([bytes as BlobPart])))));
  it('a server with ranges is asked for the bytes of one buffer', async () => {
    const asked: string[] = [];
    const fetcher = (async (_: string, init: RequestInit) => {
      const range = (init.headers as Record<string, string>).Range;
      asked.push(range);
      const [first, last] = range.slice(6).split('-').map(Number);
      return new Response(bytes.slice(first, last + 1), { status: 206 });
    }) as unknown as typeof fetch;
    await check(new Buffers(index, servedSource('data.bin', fetcher)));
    expect(asked).toEqual([`bytes=0-${index[0][1] - 1}`, `bytes=${index[1][0]}-${index[1][0] + index[1][1] - 1}`]);
  });
  it('a server without ranges is asked once', async () => {
    const fetcher = vi.fn(async () => new Response(bytes.slice(), { status: 200 })) as unknown as typeof fetch;
    await check(new Buffers(index, servedSource('data.bin', fetcher)));
    expect(fetcher).toHaveBeenCalledTimes(1);
  });
  it('a missing file is said so', async () => {
    const fetcher = (async () => new Response('', { status: 404 })) as unknown as typeof fetch;
    await expect(new Buffers(index, servedSource('data.bin', fetcher)).bytes(0)).rejects.toThrow('data.bin: the server answered 404');
  });
  it('a file of another page is noticed', async () => {
    const wrong: [number, number, number][] = [[index[0][0], index[0][1], 35]];
    await expect(new Buffers(wrong, fileSource(new Blob([bytes as BlobPart]))).bytes(0)).rejects.toThrow('36 bytes where 35');
    await expect(new Buffers(index, fileSource(new Blob([bytes.slice(5) as BlobPart]))).bytes(0)).rejects.toThrow();
  });
  it('an unknown buffer is named', async () => {
    await expect(new Buffers(index, fileSource(new Blob([]))).bytes(7)).rejects.toThrow('buffer 7');
  });
});

describe('browsers without the newer functions', () => {
  afterEach(() => vi.unstubAllGlobals());
  it('inflate by themselves', async () => {
    vi.stubGlobal('DecompressionStream', undefined);
    const text = Buffer.from('prehend '.repeat(1000));
    expect(Buffer.from(await inflated(new Uint8Array(deflateSync(text)), text.length)).equals(text)).toBe(true);
  });
  it('decode base64 by themselves', () => {
    expect([...bytesOfBase64('AAH/gA==')]).toEqual([0, 1, 255, 128]);
  });
});

it('quantised values are doubles', async () => {
  const { index, bytes } = packed([planesOf([[0], [1], [1 << 30]])]);
  const buffers = new Buffers(index, fileSource(new Blob([bytes as BlobPart])));
  const step = 86400 / 2 ** 30;
  const values = await buffers.quantised({ buffer: 0, offset: 1.7e9, step });
  expect(values[1] - 1.7e9).toBeCloseTo(step, 6);
  expect(values[2]).toBe(1.7e9 + 86400);
});
