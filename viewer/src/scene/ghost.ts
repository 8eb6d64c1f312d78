// Small things inside or behind a body shine through it faintly: a contact force is never hidden by what it carries.
import * as THREE from 'three';

export function ghostOf(original: THREE.InstancedMesh): THREE.InstancedMesh {
  const material = (original.material as THREE.Material).clone();
  material.transparent = true;
  material.opacity = 0.3;
  material.depthFunc = THREE.GreaterDepth;
  material.depthWrite = false;
  const ghost = new THREE.InstancedMesh(original.geometry, material, 0);
  ghost.instanceMatrix = original.instanceMatrix;
  ghost.frustumCulled = false;
  ghost.raycast = () => undefined;
  // Count and colours change with the original.
  ghost.onBeforeRender = () => undefined;
  Object.defineProperty(ghost, 'count', { get: () => original.count, set: () => undefined });
  Object.defineProperty(ghost, 'instanceColor', { get: () => original.instanceColor, set: () => undefined });
  return ghost;
}
