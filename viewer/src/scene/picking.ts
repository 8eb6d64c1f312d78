// What lies under the pointer.
import * as THREE from 'three';

import { formatNumber, withUnit } from '../format';
import type { FrameData, LineData } from '../page_data';
import type { ArrowView } from './arrow_view';
import type { BodyView } from './body_view';
import type { PointView } from './markers';
import type { MapChoice } from './maps';

export interface Picked {
  body?: BodyView;
  title: string;
  lines: string[];
  value?: number; // of the shown map
}

const raycaster = new THREE.Raycaster();
const pointer = new THREE.Vector2();

function isShown(object: THREE.Object3D | null): boolean {
  for (let node = object; node; node = node.parent) if (!node.visible) return false;
  return true;
}

export function pick(x: number, y: number, canvas: HTMLElement, camera: THREE.Camera, targets: THREE.Object3D[], maps: MapChoice): Picked | undefined {
  const box = canvas.getBoundingClientRect();
  pointer.set((2 * (x - box.left)) / box.width - 1, 1 - (2 * (y - box.top)) / box.height);
  raycaster.setFromCamera(pointer, camera);
  const hits = raycaster.intersectObjects(targets.filter(isShown), false).filter((hit) => isShown(hit.object));
  // Points, arrows and frames are small: they win when they lie nearly as near as the surface behind them.
  hits.sort((a, b) => a.distance * (a.object.userData.body ? 1 : 0.985) - b.distance * (b.object.userData.body ? 1 : 0.985));
  for (const hit of hits) {
    const picked = describe(hit, maps);
    if (picked) return picked;
  }
  return undefined;
}

function describe(hit: THREE.Intersection, maps: MapChoice): Picked | undefined {
  const { body, points, arrows, frame, line } = hit.object.userData as {
    body?: BodyView;
    points?: PointView;
    arrows?: ArrowView;
    frame?: FrameData;
    line?: LineData;
  };
  if (body) {
    const lines = body.data.hover ? [body.data.hover] : [];
    const at = hit.faceIndex == null ? undefined : body.mapAt(hit.faceIndex, body.mesh.worldToLocal(hit.point.clone()));
    if (at) lines.push(`${maps.name}: ${withUnit(formatNumber(at.value), maps.unit)}`);
    if (at?.label) lines.push(at.label);
    return { body, title: body.data.name, lines, value: at?.value };
  }
  if (points && hit.instanceId !== undefined) {
    const value = points.shownValue(hit.instanceId);
    const lines = points.data.hover?.[hit.instanceId] ? [points.data.hover[hit.instanceId]] : [];
    if (value !== undefined) lines.push(`${maps.name}: ${withUnit(formatNumber(value), maps.unit)}`);
    return { title: points.data.name, lines, value };
  }
  if (arrows && hit.instanceId !== undefined) {
    const lines = [withUnit(formatNumber(arrows.magnitude(hit.instanceId)), arrows.data.unit)];
    const text = arrows.data.hover?.[hit.instanceId];
    if (text && arrows.isAtRest) lines.push(text);
    return { title: arrows.data.name, lines };
  }
  if (frame) return { title: frame.name, lines: ['frame: x red, y green, z blue'] };
  if (line) return { title: line.name, lines: line.hover ? [line.hover] : [] };
  return undefined;
}
