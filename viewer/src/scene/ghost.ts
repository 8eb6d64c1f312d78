// Arrows and points share one material's program, with their colour per instance: compiling shaders is most of the time
// until a page is shown. Small things inside or behind a body shine through it faintly: a contact force is never hidden by what it carries.
import * as THREE from 'three';

export function markerMaterial(glow: THREE.ColorRepresentation, strength: number): THREE.MeshLambertMaterial {
  return new THREE.MeshLambertMaterial({ transparent: true, emissive: glow, emissiveIntensity: strength });
}

export function ghostOf(original: THREE.InstancedMesh): THREE.InstancedMesh {
  const material = (original.material as THREE.Material).clone();
  material.opacity = 0.3;
  material.depthFunc = THREE.GreaterDepth;
  material.depthWrite = false;
  const ghost = new THREE.InstancedMesh(original.geometry, material, 0);
  ghost.instanceMatrix = original.instanceMatrix;
  ghost.frustumCulled = false;
  ghost.raycast = () => undefined;
  // Count and colours change with the original.
  Object.defineProperty(ghost, 'count', { get: () => original.count, set: () => undefined });
  Object.defineProperty(ghost, 'instanceColor', { get: () => original.instanceColor, set: () => undefined });
  return ghost;
}
