// Hovering and clicking, apart from turning the view: a press that moves is a turn.
import type * as THREE from 'three';

import type { MapChoice } from './maps';
import { pick, type Picked } from './picking';
import type { Stage } from './stage';

const CLICK_REACH = 5; // [px] a press may move and still be a click

export function watchPointer(
  stage: Stage,
  targets: THREE.Object3D[],
  map: () => MapChoice,
  hover: (picked: Picked | undefined, x: number, y: number) => void,
  click: (picked: Picked | undefined) => void,
): void {
  const canvas = stage.renderer.domElement;
  const all = () => {
    // Arrows rebuild their shapes when their number grows, so they are looked up each time.
    const arrows: THREE.Object3D[] = [];
    stage.content.traverse((object) => {
      if (object.userData.arrows) arrows.push(object);
    });
    return [...targets, ...arrows];
  };
  const at = (event: PointerEvent) => pick(event.clientX, event.clientY, canvas, stage.camera, all(), map());
  let pressed: [number, number] | undefined;
  let waiting = 0;
  let latest: PointerEvent;
  canvas.addEventListener('pointerdown', (event) => {
    pressed = [event.clientX, event.clientY];
    hover(undefined, 0, 0);
  });
  canvas.addEventListener('pointermove', (event) => {
    latest = event;
    if (pressed || waiting) return;
    waiting = requestAnimationFrame(() => {
      waiting = 0;
      const picked = pressed ? undefined : at(latest);
      canvas.style.cursor = picked?.body ? 'pointer' : '';
      hover(picked, latest.clientX, latest.clientY);
    });
  });
  canvas.addEventListener('pointerleave', () => hover(undefined, 0, 0));
  window.addEventListener('pointerup', (event) => {
    if (pressed && event.target === canvas && Math.hypot(event.clientX - pressed[0], event.clientY - pressed[1]) < CLICK_REACH) {
      const picked = at(event);
      click(picked);
      // A finger does not hover: the tap shows the name, and the value under it.
      if (event.pointerType === 'touch') hover(picked, event.clientX, event.clientY);
    }
    pressed = undefined;
  });
  window.addEventListener('pointercancel', () => {
    pressed = undefined;
  });
}
