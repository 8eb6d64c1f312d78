// Points, lines and frames.
import * as THREE from 'three';
import { Line2 } from 'three/examples/jsm/lines/Line2.js';
import { LineGeometry } from 'three/examples/jsm/lines/LineGeometry.js';
import { LineMaterial } from 'three/examples/jsm/lines/LineMaterial.js';

import { type Scale, scaleColour } from '../colour';
import type { FrameData, LineData, PointLayerData } from '../page_data';
import { ghostOf, markerMaterial } from './ghost';

export class PointView {
  readonly mesh: THREE.InstancedMesh<THREE.SphereGeometry, THREE.MeshLambertMaterial>;

  constructor(
    readonly data: PointLayerData,
    readonly points: Float32Array,
    readonly values: Float32Array | undefined,
    size: number,
  ) {
    const count = points.length / 3;
    const radius = data.radius || 0.0075 * size;
    const shape = count > 2000 ? new THREE.SphereGeometry(radius, 8, 6) : new THREE.SphereGeometry(radius, 20, 14);
    this.mesh = new THREE.InstancedMesh(shape, markerMaterial(0x000000, 0), count);
    const matrix = new THREE.Matrix4();
    for (let k = 0; k < count; ++k) this.mesh.setMatrixAt(k, matrix.makeTranslation(points[3 * k], points[3 * k + 1], points[3 * k + 2]));
    this.mesh.visible = data.visible;
    this.mesh.frustumCulled = false;
    this.mesh.userData.points = this;
    this.mesh.add(ghostOf(this.mesh));
    this.showMap(undefined, undefined);
  }

  shownValue(k: number): number | undefined {
    return this.mapped ? this.values?.[k] : undefined;
  }
  private mapped = false;

  showMap(name: string | undefined, scale: Scale | undefined): void {
    this.mapped = !!scale && !!this.values && this.data.map?.name === name;
    const colour = new THREE.Color(this.data.colour);
    for (let k = 0; k < this.mesh.count; ++k) {
      if (this.mapped) {
        const [r, g, b] = scaleColour(this.values![k], scale!);
        colour.setRGB(r / 255, g / 255, b / 255, THREE.SRGBColorSpace);
      }
      this.mesh.setColorAt(k, colour);
    }
    if (this.mesh.instanceColor) this.mesh.instanceColor.needsUpdate = true;
  }
}

export function lineView(data: LineData, points: Float32Array): Line2 {
  const numbers = Array.from(points);
  if (data.closed && numbers.length >= 3) numbers.push(numbers[0], numbers[1], numbers[2]);
  const geometry = new LineGeometry();
  // A line of fewer than two points has nothing to draw.
  geometry.setPositions(numbers.length >= 6 ? numbers : [0, 0, 0, 0, 0, 0]);
  const line = new Line2(geometry, new LineMaterial({ color: data.colour, linewidth: data.width }));
  line.visible = data.visible;
  line.userData.line = data;
  return line;
}

// Axes x, y, z in red, green, blue, as everywhere in robotics.
export function frameView(data: FrameData, size: number): THREE.Group {
  const group = new THREE.Group();
  const length = data.length || 0.09 * size;
  const colours = [0xd6453d, 0x3f9e54, 0x3568d4];
  const turns = [new THREE.Euler(0, 0, -Math.PI / 2), new THREE.Euler(), new THREE.Euler(Math.PI / 2, 0, 0)];
  colours.forEach((colour, axis) => {
    const material = new THREE.MeshLambertMaterial({ color: colour, side: THREE.DoubleSide, emissive: colour, emissiveIntensity: 0.3 });
    const shaft = new THREE.Mesh(new THREE.CylinderGeometry(0.028, 0.028, 0.84, 10).translate(0, 0.42, 0), material);
    const head = new THREE.Mesh(new THREE.ConeGeometry(0.07, 0.18, 14).translate(0, 0.91, 0), material);
    for (const part of [shaft, head]) {
      part.rotation.copy(turns[axis]);
      part.scale.setScalar(length);
      part.userData.frame = data;
      group.add(part);
    }
  });
  group.position.set(data.pose[0], data.pose[1], data.pose[2]);
  group.quaternion.set(data.pose[4], data.pose[5], data.pose[6], data.pose[3]);
  return group;
}
