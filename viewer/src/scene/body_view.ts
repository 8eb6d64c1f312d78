// One body on the screen: its surface, its creases, and the map it is coloured by.
import * as THREE from 'three';

import type { Buffers } from '../buffers';
import { fraction, HATCH, NO_VALUE, type Scale, UNBOUNDED, viridis } from '../colour';
import type { BodyData, PoseNumbers } from '../page_data';
import { meshGeometry } from './mesh_geometry';

export interface LoadedMap {
  name: string;
  values: Float32Array; // one per vertex
  labels?: string[];
  labelOf?: Int32Array;
}

// Three rows: no value, the scale, unbounded. Nearest sampling keeps them apart.
function lookupTexture(): THREE.DataTexture {
  const pixels = new Uint8Array(256 * 3 * 4).fill(255);
  for (let i = 0; i < 256; ++i) {
    pixels.set(NO_VALUE, 4 * i);
    pixels.set(viridis(i / 255), 4 * (256 + i));
    pixels.set(UNBOUNDED, 4 * (512 + i));
  }
  const texture = new THREE.DataTexture(pixels, 256, 3);
  texture.colorSpace = THREE.SRGBColorSpace;
  texture.needsUpdate = true;
  return texture;
}
let lookup: THREE.DataTexture | undefined;

// Stripes on the screen, ten pixels apart, wherever the value is unbounded; the light of the surface stays.
function hatchUnbounded(material: THREE.Material): void {
  const share = HATCH.map((part, k) => (part / UNBOUNDED[k]) ** 2.2);
  material.onBeforeCompile = (shader) => {
    shader.fragmentShader = shader.fragmentShader.replace(
      '#include <emissivemap_fragment>',
      `#include <emissivemap_fragment>
      if (vMapUv.y > 2.0 / 3.0) {
        float place = (gl_FragCoord.x + gl_FragCoord.y) / ${(10 * Math.min(window.devicePixelRatio || 1, 2)).toFixed(1)};
        float stripe = smoothstep(0.56, 0.66, abs(2.0 * fract(place) - 1.0));
        vec3 ink = mix(vec3(1.0), vec3(${share.map((part) => part.toFixed(4)).join(', ')}), stripe);
        diffuseColor.rgb *= ink;
        totalEmissiveRadiance *= ink;
      }`,
    );
  };
}

export class BodyView {
  readonly group = new THREE.Group();
  readonly maps: LoadedMap[] = [];
  mesh!: THREE.Mesh<THREE.BufferGeometry, THREE.MeshLambertMaterial>;
  private edges!: THREE.LineSegments<THREE.BufferGeometry, THREE.LineBasicMaterial>;
  private plain!: THREE.MeshLambertMaterial;
  private mapped?: THREE.MeshLambertMaterial;
  private corners!: Int32Array;
  shownMap?: LoadedMap;
  hovered = false;
  selected = false;

  constructor(
    readonly data: BodyData,
    readonly index: number,
  ) {
    this.place(data.pose);
  }

  async load(buffers: Buffers): Promise<void> {
    const [vertices, triangles, ...values] = await Promise.all([
      buffers.integers(this.data.vertices.buffer, 3),
      buffers.integers(this.data.triangles.buffer, 3),
      ...this.data.maps.map((map) => buffers.float32(map, 1)),
    ]);
    for (const [k, map] of this.data.maps.entries()) {
      const labelOf = map.labelBuffer === undefined ? undefined : await buffers.integers(map.labelBuffer, 1);
      this.maps.push({ name: map.name, values: values[k], labels: map.labels, labelOf });
    }
    const shape = meshGeometry(vertices, this.data.vertices.step, triangles);
    this.corners = shape.corners;
    const geometry = new THREE.BufferGeometry();
    geometry.setAttribute('position', new THREE.BufferAttribute(shape.positions, 3));
    geometry.setAttribute('normal', new THREE.BufferAttribute(shape.normals, 3));
    const { opacity, backdrop } = this.data;
    const clear = opacity < 1;
    this.plain = new THREE.MeshLambertMaterial({
      color: this.data.colour,
      transparent: clear,
      opacity,
      depthWrite: !clear,
      side: THREE.DoubleSide,
      polygonOffset: true,
      // See-through faces lie behind solid ones in the same plane: a ghost against a wall does not flicker.
      polygonOffsetFactor: clear ? 2 : 1,
      polygonOffsetUnits: clear ? 8 : 1,
    });
    this.mesh = new THREE.Mesh(geometry, this.plain);
    this.mesh.castShadow = !backdrop && opacity > 0.5;
    this.mesh.receiveShadow = true;
    this.mesh.userData.body = this;
    const lines = new THREE.BufferGeometry();
    lines.setAttribute('position', new THREE.BufferAttribute(shape.edges, 3));
    this.edges = new THREE.LineSegments(lines, new THREE.LineBasicMaterial({ transparent: true }));
    for (const part of [this.mesh, this.edges]) {
      part.position.set(...this.data.centre);
      this.group.add(part);
    }
    this.refresh(false);
  }

  place(pose: PoseNumbers): void {
    this.group.position.set(pose[0], pose[1], pose[2]);
    this.group.quaternion.set(pose[4], pose[5], pose[6], pose[3]);
  }

  // By the reader, and by the motion.
  private shown = true;
  private present = true;
  setShown(shown: boolean): void {
    this.shown = shown;
    this.group.visible = shown && this.present;
  }
  setPresent(present: boolean): void {
    this.present = present;
    this.group.visible = this.shown && present;
  }

  setEdges(visible: boolean): void {
    this.edges.visible = visible;
  }

  // Colours that follow hovering, selection and the theme.
  refresh(dark: boolean): void {
    const accent = dark ? 0x7fb2ff : 0x2f6fd6;
    const glow = this.selected ? 0.3 : this.hovered ? 0.14 : 0;
    this.plain.emissive.set(glow ? accent : 0);
    this.plain.emissiveIntensity = glow;
    // A floor as bright as by day would outshine a dark page.
    this.plain.color.set(this.data.colour).multiplyScalar(dark && this.data.backdrop ? 0.3 : 1);
    const line = new THREE.Color(this.data.colour).multiplyScalar(this.data.backdrop ? (dark ? 0.45 : 0.7) : 0.3);
    this.edges.material.color.set(this.selected ? accent : line);
    this.edges.material.opacity = this.selected || this.hovered ? 1 : 0.55 * Math.max(this.data.opacity, 0.5);
  }

  showMap(name: string | undefined, scale: Scale | undefined): void {
    this.shownMap = this.maps.find((map) => map.name === name);
    if (!this.shownMap || !scale) {
      this.mesh.material = this.plain;
      return;
    }
    const { values } = this.shownMap;
    const uv = new Float32Array(2 * this.corners.length);
    for (let i = 0; i < this.corners.length; ++i) {
      const value = values[this.corners[i]];
      const row = Number.isNaN(value) ? 0 : Number.isFinite(value) ? 1 : 2;
      uv[2 * i] = row === 1 ? (0.5 + 255 * fraction(value, scale)) / 256 : row === 2 ? 1 : 0;
      uv[2 * i + 1] = (row + 0.5) / 3;
    }
    this.mesh.geometry.setAttribute('uv', new THREE.BufferAttribute(uv, 2));
    lookup ??= lookupTexture();
    this.mapped ??= this.mappedMaterial(lookup);
    this.mesh.material = this.mapped;
  }

  // Half of the light comes from the surface itself, so that shading hardly changes what the legend promises.
  private mappedMaterial(colours: THREE.DataTexture): THREE.MeshLambertMaterial {
    const material = new THREE.MeshLambertMaterial({
      map: colours,
      emissiveMap: colours,
      emissive: 0xffffff,
      emissiveIntensity: 0.62,
      color: 0x8a8a8a,
      side: THREE.DoubleSide,
      transparent: this.data.opacity < 1,
      opacity: this.data.opacity,
      polygonOffset: true,
      polygonOffsetFactor: 1,
      polygonOffsetUnits: 1,
    });
    hatchUnbounded(material);
    return material;
  }

  // The shown map at a point of triangle `face` (mesh coordinates): its value, which the nearest corner decides where one has no
  // finite value, and the nearest corner's label.
  mapAt(face: number, point: THREE.Vector3): { value: number; label?: string } | undefined {
    if (!this.shownMap) return undefined;
    const position = this.mesh.geometry.getAttribute('position');
    const corner = (k: number) => new THREE.Vector3().fromBufferAttribute(position, 3 * face + k);
    const weights = THREE.Triangle.getBarycoord(point, corner(0), corner(1), corner(2), new THREE.Vector3());
    if (!weights) return undefined;
    const { values, labels, labelOf } = this.shownMap;
    const share = weights.toArray();
    const vertices = [0, 1, 2].map((k) => this.corners[3 * face + k]);
    const nearest = vertices[share.indexOf(Math.max(...share))];
    const label = labelOf && labels?.[labelOf[nearest]];
    const around = vertices.map((vertex) => values[vertex]);
    const value = around.every(Number.isFinite) ? around.reduce((sum, each, k) => sum + each * share[k], 0) : values[nearest];
    return { value, label };
  }
}
