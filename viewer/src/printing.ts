// On paper a scene is a picture: taken just before printing, thrown away after.
import { element } from './dom';
import type { SceneView } from './scene/scene_view';
import { holdLight } from './theme';

export function preparePrinting(scenes: SceneView[]): void {
  window.addEventListener('beforeprint', () => {
    holdLight(true);
    for (const view of scenes) {
      if (!view.isLive) continue;
      view.viewport.prepend(element('img', { class: 'print-picture', src: view.snapshot(), alt: view.data.caption || 'the scene' }));
    }
  });
  window.addEventListener('afterprint', () => {
    holdLight(false);
    for (const picture of document.querySelectorAll('.print-picture')) picture.remove();
  });
}
