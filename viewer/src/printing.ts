// On paper a scene is a picture: taken just before printing, thrown away after.
import { element } from './dom';
import type { SceneView } from './scene/scene_view';

export function preparePrinting(scenes: SceneView[]): void {
  window.addEventListener('beforeprint', () => {
    for (const view of scenes) {
      if (!view.isLive) continue;
      view.viewport.append(element('img', { class: 'print-picture', src: view.snapshot(), alt: view.data.caption || 'the scene' }));
    }
  });
  window.addEventListener('afterprint', () => {
    for (const picture of document.querySelectorAll('.print-picture')) picture.remove();
  });
}
