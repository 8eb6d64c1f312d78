import { describe, expect, it } from 'vitest';

import { meshGeometry } from '../../src/scene/mesh_geometry';

// A unit cube as a soup: every triangle brings its own vertices.
function cubeSoup(): [Int32Array, Int32Array] {
  const faces = [[0, 2, 1], [1, 2, 3], [4, 5, 6], [5, 7, 6], [0, 1, 4], [1, 5, 4], [2, 6, 3], [3, 6, 7], [0, 4, 2], [2, 4, 6], [1, 3, 5], [3, 7, 5]];
  const vertices = faces.flat().flatMap((k) => [k & 1, (k >> 1) & 1, (k >> 2) & 1]);
  return [Int32Array.from(vertices), Int32Array.from(faces.flat().keys())];
}

// A ball of given fineness, vertices shared.
function ball(around: number, across: number): [Int32Array, Int32Array] {
  const vertices: number[] = [];
  const triangles: number[] = [];
  for (let i = 0; i <= across; ++i) {
    for (let j = 0; j < around; ++j) {
      const [p, u] = [(Math.PI * i) / across, (2 * Math.PI * j) / around];
      vertices.push(...[Math.sin(p) * Math.cos(u), Math.sin(p) * Math.sin(u), Math.cos(p)].map((c) => Math.round(1e6 * c)));
      if (i === across) continue;
      const [a, b] = [i * around + j, i * around + ((j + 1) % around)];
      triangles.push(a, a + around, b + around, a, b + around, b);
    }
  }
  return [Int32Array.from(vertices), Int32Array.from(triangles)];
}

describe('a cube', () => {
  const [vertices, triangles] = cubeSoup();
  const shape = meshGeometry(vertices, 0.5, triangles);
  it('has flat faces: every normal is an axis', () => {
    for (let i = 0; i < shape.normals.length; i += 3) {
      const sorted = [...shape.normals.subarray(i, i + 3)].map(Math.abs).sort();
      expect(sorted).toEqual([0, 0, 1]);
    }
  });
  it('has twelve edges, each once, and no diagonals', () => {
    expect(shape.edges.length / 6).toBe(12);
    for (let i = 0; i < shape.edges.length; i += 6) {
      const length = Math.hypot(...[0, 1, 2].map((k) => shape.edges[i + k] - shape.edges[i + 3 + k]));
      expect(length).toBeCloseTo(0.5, 6);
    }
  });
});

describe('a ball', () => {
  const [vertices, triangles] = ball(48, 24);
  const shape = meshGeometry(vertices, 1e-6, triangles);
  it('is smooth: normals point away from the centre', () => {
    for (let i = 0; i < shape.normals.length; i += 3) {
      const [p, n] = [shape.positions.subarray(i, i + 3), shape.normals.subarray(i, i + 3)];
      if (Math.hypot(n[0], n[1], n[2]) < 0.5) continue; // triangles without area at the poles
      // The fan of triangles leans by at most half a cell, 1/24 of pi.
      expect(p[0] * n[0] + p[1] * n[1] + p[2] * n[2]).toBeGreaterThan(Math.cos(Math.PI / 24));
    }
  });
  it('has no creases', () => expect(shape.edges.length).toBe(0));
});

it('an open sheet shows its border', () => {
  const shape = meshGeometry(Int32Array.from([0, 0, 0, 1, 0, 0, 1, 1, 0, 0, 1, 0]), 1, Int32Array.from([0, 1, 2, 0, 2, 3]));
  expect(shape.edges.length / 6).toBe(4);
});

it('nothing gives nothing', () => {
  expect(meshGeometry(new Int32Array(), 1, new Int32Array()).positions.length).toBe(0);
});

it('a hundred thousand triangles take a fraction of a second', () => {
  const [vertices, triangles] = ball(320, 160);
  const start = performance.now();
  meshGeometry(vertices, 1e-6, triangles);
  // 0.1 s on a quiet core; the bound only catches a quadratic slip.
  expect(performance.now() - start).toBeLessThan(5000);
});
