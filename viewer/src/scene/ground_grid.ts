// The grid on the ground: lines at round distances that stay one pixel wide and fade away from the scene.
import * as THREE from 'three';

import { niceTicks } from '../format';

export interface GroundGrid {
  mesh: THREE.Mesh;
  spacing: number; // [m] between thin lines
  setTheme(dark: boolean): void;
}

const VERTEX = `
varying vec2 place;
void main() {
  place = position.xy;
  gl_Position = projectionMatrix * modelViewMatrix * vec4(position, 1.0);
}`;

const FRAGMENT = `
varying vec2 place;
uniform vec2 origin;
uniform float spacing;
uniform float reach;
uniform vec3 ink;
uniform float strength;
float line(vec2 p, float step) {
  vec2 cell = p / step;
  vec2 near = abs(fract(cell - 0.5) - 0.5) / fwidth(cell);
  float density = max(fwidth(cell).x, fwidth(cell).y);
  return (1.0 - min(min(near.x, near.y), 1.0)) * clamp(1.5 - 3.0 * density, 0.0, 1.0);
}
void main() {
  vec2 p = place + origin;
  float a = max(0.45 * line(p, spacing), line(p, 5.0 * spacing));
  float fade = 1.0 - smoothstep(0.35, 1.0, length(place) / reach);
  gl_FragColor = vec4(ink, strength * a * fade);
}`;

export function groundGrid(size: number, centre: THREE.Vector3, height: number, origin: [number, number, number]): GroundGrid {
  const steps = niceTicks(0, size, 12);
  const spacing = steps.length > 1 ? steps[1] - steps[0] : size / 10;
  const reach = 2.2 * size;
  // Lines lie at whole multiples of the spacing in the world, also when the viewer's origin is another.
  const offset = (axis: 'x' | 'y', k: number) => (centre[axis] + origin[k]) % (5 * spacing);
  const material = new THREE.ShaderMaterial({
    vertexShader: VERTEX,
    fragmentShader: FRAGMENT,
    transparent: true,
    depthWrite: false,
    side: THREE.DoubleSide,
    uniforms: {
      origin: { value: new THREE.Vector2(offset('x', 0), offset('y', 1)) },
      spacing: { value: spacing },
      reach: { value: reach },
      ink: { value: new THREE.Color() },
      strength: { value: 0.5 },
    },
  });
  const mesh = new THREE.Mesh(new THREE.PlaneGeometry(2 * reach, 2 * reach), material);
  mesh.position.set(centre.x, centre.y, height);
  mesh.renderOrder = -1;
  const setTheme = (dark: boolean) => {
    material.uniforms.ink.value.set(dark ? 0x93a4ba : 0x5f6f85);
    material.uniforms.strength.value = dark ? 0.24 : 0.26;
  };
  setTheme(false);
  return { mesh, spacing, setTheme };
}
