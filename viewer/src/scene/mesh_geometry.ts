// What the screen needs of a mesh: corners with normals that are smooth across gentle edges and sharp across creases, and the
// creases themselves as lines. Vertices come as integers, so that equal points are found exactly.

export interface MeshGeometry {
  positions: Float32Array; // three corners per triangle
  normals: Float32Array;
  corners: Int32Array; // vertex of each corner
  edges: Float32Array; // two points per crease or border
}

const COS_CREASE = Math.cos((35 * Math.PI) / 180);

export function meshGeometry(vertices: Int32Array, step: number, triangles: Int32Array): MeshGeometry {
  const same = welded(vertices);
  const count = triangles.length / 3;
  const faceNormals = new Float64Array(3 * count); // length: twice the area
  const positions = new Float32Array(9 * count);
  for (let t = 0; t < count; ++t) {
    for (let k = 0; k < 3; ++k) {
      for (let axis = 0; axis < 3; ++axis) positions[9 * t + 3 * k + axis] = vertices[3 * triangles[3 * t + k] + axis] * step;
    }
    crossOfTriangle(vertices, triangles, t, faceNormals);
  }
  return {
    positions,
    normals: creaseNormals(triangles, same, faceNormals),
    corners: triangles,
    edges: creaseEdges(vertices, step, triangles, same, faceNormals),
  };
}

// For every vertex the first one at the same place.
function welded(vertices: Int32Array): Int32Array {
  const count = vertices.length / 3;
  let size = 16;
  while (size < 2 * count) size *= 2;
  const table = new Int32Array(size).fill(-1);
  const same = new Int32Array(count);
  for (let v = 0; v < count; ++v) {
    const [x, y, z] = [vertices[3 * v], vertices[3 * v + 1], vertices[3 * v + 2]];
    let slot = mixed(x, y, z) & (size - 1);
    for (;;) {
      const other = table[slot];
      if (other < 0) {
        table[slot] = v;
        same[v] = v;
        break;
      }
      if (vertices[3 * other] === x && vertices[3 * other + 1] === y && vertices[3 * other + 2] === z) {
        same[v] = other;
        break;
      }
      slot = (slot + 1) & (size - 1);
    }
  }
  return same;
}

function mixed(x: number, y: number, z: number): number {
  let h = Math.imul(x, 0x9e3779b1) ^ Math.imul(y, 0x85ebca6b) ^ Math.imul(z, 0xc2b2ae35);
  h = Math.imul(h ^ (h >>> 15), 0x2c1b3c6d);
  return (h ^ (h >>> 13)) >>> 0;
}

function crossOfTriangle(vertices: Int32Array, triangles: Int32Array, t: number, normals: Float64Array): void {
  const [a, b, c] = [3 * triangles[3 * t], 3 * triangles[3 * t + 1], 3 * triangles[3 * t + 2]];
  const [ux, uy, uz] = [vertices[b] - vertices[a], vertices[b + 1] - vertices[a + 1], vertices[b + 2] - vertices[a + 2]];
  const [vx, vy, vz] = [vertices[c] - vertices[a], vertices[c + 1] - vertices[a + 1], vertices[c + 2] - vertices[a + 2]];
  normals[3 * t] = uy * vz - uz * vy;
  normals[3 * t + 1] = uz * vx - ux * vz;
  normals[3 * t + 2] = ux * vy - uy * vx;
}

// The normal of a corner: the mean, weighted by area, over the triangles around its point that bend less than the crease angle.
function creaseNormals(triangles: Int32Array, same: Int32Array, faceNormals: Float64Array): Float32Array {
  const count = triangles.length / 3;
  const start = new Int32Array(same.length + 1);
  for (const vertex of triangles) ++start[same[vertex] + 1];
  for (let v = 0; v < same.length; ++v) start[v + 1] += start[v];
  const around = new Int32Array(triangles.length);
  const filled = start.slice();
  for (let i = 0; i < triangles.length; ++i) around[filled[same[triangles[i]]]++] = (i / 3) | 0;
  const lengths = new Float64Array(count);
  for (let t = 0; t < count; ++t) lengths[t] = Math.hypot(faceNormals[3 * t], faceNormals[3 * t + 1], faceNormals[3 * t + 2]);
  const normals = new Float32Array(9 * count);
  for (let i = 0; i < triangles.length; ++i) {
    const t = (i / 3) | 0;
    const vertex = same[triangles[i]];
    let [x, y, z] = [0, 0, 0];
    for (let k = start[vertex]; k < start[vertex + 1]; ++k) {
      const o = around[k];
      const dot =
        faceNormals[3 * t] * faceNormals[3 * o] + faceNormals[3 * t + 1] * faceNormals[3 * o + 1] + faceNormals[3 * t + 2] * faceNormals[3 * o + 2];
      if (o !== t && dot < COS_CREASE * lengths[t] * lengths[o]) continue;
      x += faceNormals[3 * o];
      y += faceNormals[3 * o + 1];
      z += faceNormals[3 * o + 2];
    }
    const length = Math.hypot(x, y, z) || 1;
    normals[3 * i] = x / length;
    normals[3 * i + 1] = y / length;
    normals[3 * i + 2] = z / length;
  }
  return normals;
}

// Edges where two triangles bend past the crease angle, and edges with one triangle only.
function creaseEdges(vertices: Int32Array, step: number, triangles: Int32Array, same: Int32Array, faceNormals: Float64Array): Float32Array {
  let size = 16;
  while (size < 2 * triangles.length) size *= 2;
  const keys = new Float64Array(size).fill(-1);
  const owner = new Int32Array(size); // first triangle; -1: settled
  const points: number[] = [];
  const addEdge = (a: number, b: number) => {
    for (const v of [a, b]) for (let axis = 0; axis < 3; ++axis) points.push(vertices[3 * v + axis] * step);
  };
  for (let i = 0; i < triangles.length; ++i) {
    const t = (i / 3) | 0;
    const from = same[triangles[i]];
    const to = same[triangles[i % 3 === 2 ? i - 2 : i + 1]];
    if (from === to) continue;
    const [a, b] = from < to ? [from, to] : [to, from];
    const key = a * same.length + b;
    let slot = mixed(a, b, 0) & (size - 1);
    while (keys[slot] >= 0 && keys[slot] !== key) slot = (slot + 1) & (size - 1);
    if (keys[slot] < 0) {
      keys[slot] = key;
      owner[slot] = t;
    } else if (owner[slot] >= 0) {
      if (bends(faceNormals, owner[slot], t)) addEdge(a, b);
      owner[slot] = -1;
    }
  }
  for (let slot = 0; slot < size; ++slot) {
    if (keys[slot] >= 0 && owner[slot] >= 0) addEdge(Math.floor(keys[slot] / same.length), keys[slot] % same.length);
  }
  return new Float32Array(points);
}

function bends(normals: Float64Array, s: number, t: number): boolean {
  const length = (k: number) => Math.hypot(normals[3 * k], normals[3 * k + 1], normals[3 * k + 2]);
  const dot = normals[3 * s] * normals[3 * t] + normals[3 * s + 1] * normals[3 * t + 1] + normals[3 * s + 2] * normals[3 * t + 2];
  return dot < COS_CREASE * length(s) * length(t);
}
