// Without WebGL a scene becomes what can be said about it in words; the rest of the page works as ever.
import { element } from '../dom';
import { renderTable } from '../table';
import type { SceneView } from './scene_view';

export function staticScene(view: SceneView, error: Error): void {
  const { data } = view;
  const noWebGl = /webgl/i.test(error.message);
  const reason = noWebGl
    ? 'This browser cannot draw in 3D (WebGL 2 is missing or switched off), so the scene is listed in words. Plots and tables below work as usual.'
    : `The 3D scene could not be shown: ${error.message}`;
  const names = [...new Set(data.bodies.flatMap((body) => body.properties.map((fact) => fact.name)))];
  const list = renderTable(
    {
      kind: 'table',
      caption: 'Bodies',
      columns: [{ name: 'body', digits: 4 }, ...['x', 'y', 'z'].map((name) => ({ name, unit: 'm', digits: 4 })), ...names.map((name) => ({ name, digits: 4 }))],
      rows: data.bodies.map((body) => [
        body.name,
        ...[0, 1, 2].map((axis) => body.pose[axis] + data.origin[axis]),
        ...names.map((name) => {
          const fact = body.properties.find((candidate) => candidate.name === name);
          return fact ? [fact.value, fact.unit].filter(Boolean).join(' ') : null;
        }),
      ]),
    },
    () => undefined,
  );
  view.viewport.replaceWith(element('p', { class: 'notice', role: 'alert' }, reason), list);
}
