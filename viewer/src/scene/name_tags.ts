// Names beside the bodies, for pictures; off until asked for.
import * as THREE from 'three';

import { element } from '../dom';
import type { BodyView } from './body_view';

export class NameTags {
  private readonly layer = element('div', { class: 'name-tags', 'aria-hidden': 'true', hidden: true });
  private readonly tags: HTMLElement[];

  constructor(
    private readonly viewport: HTMLElement,
    private readonly bodies: BodyView[],
  ) {
    this.tags = bodies.map((body) => this.layer.appendChild(element('span', { dir: 'auto' }, body.data.name)));
    viewport.append(this.layer);
  }

  show(visible: boolean, redraw: () => void): void {
    this.layer.hidden = !visible;
    redraw();
  }

  update(camera: THREE.Camera): void {
    if (this.layer.hidden) return;
    const { clientWidth: width, clientHeight: height } = this.viewport;
    const place = new THREE.Vector3();
    this.bodies.forEach((body, k) => {
      place.set(...body.data.centre).applyMatrix4(body.group.matrixWorld).project(camera);
      const seen = body.group.visible && !body.data.backdrop && Math.abs(place.z) < 1;
      this.tags[k].hidden = !seen;
      if (seen) this.tags[k].style.transform = `translate(${((place.x + 1) * width) / 2}px, ${((1 - place.y) * height) / 2}px) translate(-50%, -50%)`;
    });
  }
}
