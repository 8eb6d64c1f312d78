// A layer of arrows, drawn as two instanced shapes (shafts and heads), so that thousands cost two calls.
import * as THREE from 'three';

import type { ArrowLayerData } from '../page_data';
import { ghostOf, markerMaterial } from './ghost';

const UP = new THREE.Vector3(0, 1, 0);

export class ArrowView {
  readonly group = new THREE.Group();
  private shafts?: THREE.InstancedMesh;
  private heads?: THREE.InstancedMesh;
  private readonly material: THREE.MeshLambertMaterial;
  numbers = new Float32Array(0);
  stretch = 1; // set by the reader

  constructor(
    readonly data: ArrowLayerData,
    private readonly rest: Float32Array,
    private readonly metresPerUnit: number,
    private readonly size: number,
  ) {
    this.material = markerMaterial(data.colour, 0.25);
    this.group.visible = data.visible;
    this.show(rest);
  }

  get count(): number {
    return this.numbers.length / 6;
  }
  get isAtRest(): boolean {
    return this.numbers === this.rest;
  }
  magnitude(k: number): number {
    return Math.hypot(this.numbers[6 * k + 3], this.numbers[6 * k + 4], this.numbers[6 * k + 5]);
  }
  // The arrows of a moment; the layer's own without.
  show(numbers?: Float32Array): void {
    this.numbers = (numbers ?? this.rest) as Float32Array<ArrayBuffer>;
    this.update();
  }
  setStretch(stretch: number): void {
    this.stretch = stretch;
    this.update();
  }

  private ensure(count: number): void {
    if (this.shafts && this.shafts.instanceMatrix.count >= count) return;
    const capacity = Math.max(8, count);
    this.group.clear();
    this.shafts?.dispose();
    this.heads?.dispose();
    const shaft = new THREE.CylinderGeometry(1, 1, 1, 12).translate(0, 0.5, 0);
    const head = new THREE.ConeGeometry(1, 1, 16).translate(0, 0.5, 0);
    this.shafts = new THREE.InstancedMesh(shaft, this.material, capacity);
    this.heads = new THREE.InstancedMesh(head, this.material, capacity);
    for (const part of [this.shafts, this.heads]) {
      part.frustumCulled = false;
      part.userData.arrows = this;
      const colour = new THREE.Color(this.data.colour);
      for (let k = 0; k < capacity; ++k) part.setColorAt(k, colour);
      this.group.add(part, ghostOf(part));
    }
  }

  private update(): void {
    const { count } = this;
    this.ensure(count);
    const [direction, tail, turn, matrix, scale] = [new THREE.Vector3(), new THREE.Vector3(), new THREE.Quaternion(), new THREE.Matrix4(), new THREE.Vector3()];
    const thickness = 0.0042 * this.size;
    for (let k = 0; k < count; ++k) {
      const [px, py, pz, vx, vy, vz] = this.numbers.subarray(6 * k, 6 * k + 6);
      direction.set(vx, vy, vz);
      const length = direction.length() * this.metresPerUnit * this.stretch;
      if (!(length > 1e-9 * this.size)) {
        matrix.makeScale(0, 0, 0);
        this.shafts!.setMatrixAt(k, matrix);
        this.heads!.setMatrixAt(k, matrix);
        continue;
      }
      direction.normalize();
      turn.setFromUnitVectors(UP, direction);
      // Short arrows keep their shape: the head never takes more than two fifths.
      const head = Math.min(0.4 * length, 5.5 * thickness);
      const radius = Math.min(thickness, head / 2.6);
      tail.set(px, py, pz).addScaledVector(direction, this.data.endsAtPoint ? -length : 0);
      this.shafts!.setMatrixAt(k, matrix.compose(tail, turn, scale.set(radius, length - head, radius)));
      tail.addScaledVector(direction, length - head);
      this.heads!.setMatrixAt(k, matrix.compose(tail, turn, scale.set(2.1 * radius, head, 2.1 * radius)));
    }
    for (const part of [this.shafts!, this.heads!]) {
      part.count = count;
      part.instanceMatrix.needsUpdate = true;
      part.boundingSphere = null;
    }
  }
}
