// A scene of the page: puts stage, bodies, layers, panel, legend and clock together.
import * as THREE from 'three';

import type { Buffers } from '../buffers';
import { Clock } from '../clock';
import { element, iconButton, save } from '../dom';
import { formatNumber } from '../format';
import { frameAt } from '../motion_time';
import type { PoseNumbers, SceneData } from '../page_data';
import { isDark, onThemeChange } from '../theme';
import { ArrowView } from './arrow_view';
import { AxisGizmo } from './axis_gizmo';
import { BodyView } from './body_view';
import { arrowDetail, LayerPanel } from './layer_panel';
import { Legend } from './legend';
import { lineLayers } from './line_layers';
import { type MapChoice, mapChoices, NO_MAP } from './maps';
import { frameView, lineView, PointView } from './markers';
import { MotionPlayer } from './motion_player';
import { NameTags } from './name_tags';
import { type Picked } from './picking';
import { watchPointer } from './pointer';
import { selectionCard } from './selection_card';
import { Stage } from './stage';
import { Transport } from './transport';

export class SceneView {
  readonly root = element('figure', { class: 'scene' });
  readonly clock: Clock;
  readonly viewport = element('div', { class: 'viewport' });
  private readonly tooltip = element('div', { class: 'tooltip', role: 'status', hidden: true });
  private readonly card = element('div', { class: 'selection', hidden: true });
  private readonly panel = new LayerPanel();
  private readonly legend = new Legend();
  private stage!: Stage;
  private bodies: BodyView[] = [];
  private points: PointView[] = [];
  private arrows: ArrowView[] = [];
  private players: MotionPlayer[] = [];
  private tags!: NameTags;
  private choices: MapChoice[] = [];
  private choice: MapChoice = NO_MAP;
  private targets: THREE.Object3D[] = [];
  private frames: THREE.Object3D[] = [];
  private lines: THREE.Object3D[] = [];
  private selected = -1;
  private transport?: Transport;

  constructor(
    readonly data: SceneData,
    private readonly buffers: Buffers,
  ) {
    this.clock = new Clock(data.motions);
    this.root.append(this.viewport);
    if (data.caption) this.root.append(element('figcaption', { dir: 'auto' }, data.caption));
  }

  // Builds everything; throws when the browser has no WebGL.
  async load(): Promise<void> {
    this.stage = new Stage(this.viewport, this.data);
    this.stage.renderer.domElement.setAttribute('aria-label', `3D scene with ${this.data.bodies.length} bodies: ${this.data.bodies.slice(0, 12).map((body) => body.name).join(', ')}`);
    await Promise.all([this.loadBodies(), this.loadTimes()]);
    await this.loadLayers();
    this.tags = new NameTags(this.viewport, this.bodies);
    this.choices = mapChoices([
      ...this.bodies.flatMap((body) => body.data.maps.map((data, k) => ({ data, values: body.maps[k].values }))),
      ...this.points.filter((layer) => layer.values).map((layer) => ({ data: layer.data.map!, values: layer.values! })),
    ]);
    this.buildOverlays();
    this.showMap(this.data.initialMap ?? '');
    this.clock.listen(() => this.follow());
    this.stage.onTick((elapsed) => {
      this.clock.tick(elapsed);
      return this.clock.playing;
    });
    this.stage.onDrawn(() => this.tags.update(this.stage.camera));
    watchPointer(this.stage, this.targets, () => this.choice, (picked, x, y) => this.hover(picked, x, y), (picked) => this.select(picked?.body?.index ?? -1));
    this.applyTheme();
    onThemeChange(() => this.applyTheme());
    this.clock.show(this.data.initialMotion ?? -1);
    this.stage.start();
    void this.loadMotions();
  }

  private async loadBodies(): Promise<void> {
    this.bodies = this.data.bodies.map((data, k) => new BodyView(data, k));
    for (const body of this.bodies) {
      await body.load(this.buffers);
      this.stage.content.add(body.group);
      this.targets.push(body.mesh);
    }
  }
  private async loadTimes(): Promise<void> {
    const times = await Promise.all(this.data.motions.map((motion) => this.buffers.quantised(motion.times)));
    this.clock.setTimes(times);
    this.players = this.data.motions.map((motion, k) => new MotionPlayer(motion, times[k], this.buffers));
  }
  private parent(body: number | undefined): THREE.Object3D {
    return body === undefined ? this.stage.content : this.bodies[body].group;
  }
  private async loadLayers(): Promise<void> {
    const { size } = this.data;
    for (const layer of this.data.points) {
      const points = await this.buffers.float32(layer.points, 3);
      const values = layer.map && (await this.buffers.float32(layer.map, 1));
      const view = new PointView(layer, points, values, size);
      this.points.push(view);
      this.targets.push(view.mesh);
      this.parent(layer.body).add(view.mesh);
    }
    for (const [k, layer] of this.data.arrows.entries()) {
      const numbers = await this.buffers.float32(layer.arrows, 6);
      const longest = this.longestArrow(k, numbers);
      const scale = layer.scale || (longest > 0 ? (0.25 * size) / longest : 1);
      const view = new ArrowView(layer, numbers, scale, size);
      this.arrows.push(view);
      this.parent(layer.body).add(view.group);
    }
    for (const layer of this.data.lines) {
      const line = lineView(layer, await this.buffers.float32(layer.points, 3));
      this.lines.push(line);
      this.targets.push(line);
      this.parent(layer.body).add(line);
    }
    for (const frame of this.data.frames) {
      const view = frameView(frame, size);
      this.frames.push(view);
      this.targets.push(...view.children);
      this.parent(frame.body).add(view);
    }
  }
  private longestArrow(layer: number, rest: Float32Array): number {
    let longest = 0;
    for (let i = 0; i < rest.length; i += 6) longest = Math.max(longest, Math.hypot(rest[i + 3], rest[i + 4], rest[i + 5]));
    for (const motion of this.data.motions)
      for (const track of motion.arrows) if (track.layer === layer) longest = Math.max(longest, track.longest);
    return longest;
  }

  // The block at the present time first, then the others in order.
  private async loadMotions(): Promise<void> {
    try {
      const first = this.players[Math.max(this.clock.motion, 0)];
      for (const player of first ? [first, ...this.players.filter((other) => other !== first)] : []) {
        for (let block = 0; block < player.blockCount; ++block) {
          await player.load(block);
          if (player === this.players[this.clock.motion]) this.follow();
          this.transport?.setLoaded(player.loaded);
        }
      }
      this.root.dataset.loaded = 'true';
    } catch (error) {
      this.notice(`The motion could not be read: ${(error as Error).message}`);
    }
  }

  // Puts bodies and arrows where they are at the clock's time.
  private follow(): void {
    const player = this.players[this.clock.motion];
    const moved = new Set<number>();
    if (player) {
      const block = player.blockAt(this.clock.time);
      if (!player.has(block)) void player.load(block).then(() => this.follow());
      const pose: PoseNumbers = [0, 0, 0, 1, 0, 0, 0];
      player.data.bodies.forEach((body, k) => {
        moved.add(body);
        if (player.poseAt(k, this.clock.time, pose)) this.bodies[body].place(pose);
      });
    }
    for (const body of this.bodies) if (!moved.has(body.index)) body.place(body.data.pose);
    this.showSpans(player);
    this.arrows.forEach((view, layer) => {
      const track = player?.data.arrows.findIndex((candidate) => candidate.layer === layer) ?? -1;
      if (track < 0) {
        if (!view.isAtRest) view.show();
        return;
      }
      const numbers = player.arrowsAt(track, this.clock.time);
      if (numbers) view.show(numbers);
    });
    if (this.selected >= 0) this.showCard();
    this.stage.request(true);
  }

  // Bodies that are there for some frames only; at rest, those of the first motion's last frame.
  private showSpans(player: MotionPlayer | undefined): void {
    const told = player ?? this.players[0];
    if (!told?.data.spans) return;
    const frame = player ? frameAt(player.times, this.clock.time).frame : told.data.frames - 1;
    for (const [body, first, last] of told.data.spans) this.bodies[body].setPresent(frame >= first && frame <= last);
  }

  private buildOverlays(): void {
    const gizmo = new AxisGizmo((direction) => this.fit(direction));
    this.stage.onDrawn(() => gizmo.update(this.stage.camera));
    const toolbar = element(
      'div',
      { class: 'scene-tools', role: 'toolbar', 'aria-label': 'View' },
      iconButton('fit', 'Fit the view (f)', () => this.fit()),
      iconButton('camera', 'Save a picture', () => void this.savePicture()),
      iconButton('full', 'Full screen', () => this.toggleFullScreen()),
    );
    const layers = iconButton('layers', 'Layers (l)', () => this.togglePanel());
    layers.classList.add('layer-button');
    this.fillPanel();
    if (this.viewport.clientWidth < 720) this.viewport.classList.add('panel-closed');
    this.viewport.append(layers, this.panel.root, toolbar, this.card, this.legend.root, gizmo.root, this.tooltip);
    this.makeRoom();
    this.stage.fit();
    if (this.data.motions.length) {
      this.clock.motion = this.data.initialMotion ?? -1;
      this.transport = new Transport(this.clock);
      this.viewport.after(this.transport.root);
    }
  }

  private fillPanel(): void {
    const shows = (objects: THREE.Object3D[]) => (visible: boolean) => {
      for (const object of objects) object.visible = visible;
      this.stage.request(true);
    };
    if (this.choices.length) this.panel.addMapChoice(this.choices.map((choice) => choice.name), this.data.initialMap ?? '', (name) => this.showMap(name));
    this.panel.addLayers('Layers', [
      ...this.arrows.map((view, k) => ({
        name: view.data.name,
        colour: view.data.colour,
        detail: arrowDetail(this.longestArrow(k, view.numbers), view.data.unit),
        visible: view.data.visible,
        toggle: shows([view.group]),
        stretch: (factor: number) => {
          view.setStretch(factor);
          this.stage.request();
        },
      })),
      ...lineLayers(this.points.map((view) => view.data)).map(({ lines: members, ...layer }) => ({
        ...layer,
        detail: `${members.reduce((sum, k) => sum + this.points[k].mesh.count, 0)}`,
        toggle: shows(members.map((k) => this.points[k].mesh)),
      })),
      ...lineLayers(this.data.lines).map(({ lines, ...layer }) => ({ ...layer, detail: lines.length > 1 ? `${lines.length}` : undefined, toggle: shows(lines.map((k) => this.lines[k])) })),
      ...(this.frames.length ? [{ name: 'Frames', visible: true, toggle: shows(this.frames) }] : []),
      { name: 'Names', visible: false, toggle: (visible: boolean) => this.tags.show(visible, () => this.stage.request()) },
      {
        name: 'Edges',
        visible: true,
        toggle: (visible: boolean) => {
          for (const body of this.bodies) body.setEdges(visible);
          this.stage.request();
        },
      },
      { name: 'Ground', detail: `grid ${formatNumber(this.stage.grid.spacing, 3)} m`, visible: true, toggle: (visible: boolean) => this.stage.setGround(visible) },
    ]);
    this.panel.addBodies(this.data.bodies, (k) => this.select(k), (k, visible) => {
      this.bodies[k].setShown(visible);
      this.stage.request(true);
    });
  }

  showMap(name: string): void {
    this.choice = this.choices.find((choice) => choice.name === name) ?? NO_MAP;
    for (const body of this.bodies) body.showMap(this.choice.name || undefined, this.choice.scale);
    for (const layer of this.points) layer.showMap(this.choice.name || undefined, this.choice.scale);
    this.legend.show(this.choice);
    this.stage.request();
  }

  private hover(picked: Picked | undefined, x: number, y: number): void {
    for (const body of this.bodies) {
      if (body.hovered === (body === picked?.body)) continue;
      body.hovered = body === picked?.body;
      body.refresh(isDark());
      this.stage.request();
    }
    this.legend.point(picked?.value);
    this.tooltip.hidden = !picked;
    if (!picked) return;
    this.tooltip.replaceChildren(element('strong', { dir: 'auto' }, picked.title || '(unnamed)'), ...picked.lines.map((line) => element('div', { dir: 'auto' }, line)));
    const box = this.viewport.getBoundingClientRect();
    const right = x - box.left > box.width - 220;
    this.tooltip.style.left = `${x - box.left + (right ? -14 : 14)}px`;
    this.tooltip.style.top = `${Math.min(y - box.top + 12, box.height - 60)}px`;
    this.tooltip.classList.toggle('to-left', right);
  }

  select(index: number): void {
    this.selected = index === this.selected ? -1 : index;
    for (const body of this.bodies) {
      body.selected = body.index === this.selected;
      body.refresh(isDark());
    }
    this.panel.markSelected(this.selected);
    this.showCard();
    this.stage.request();
  }
  private showCard(): void {
    const body = this.bodies[this.selected];
    this.card.hidden = !body;
    if (body) this.card.replaceChildren(...selectionCard(body, this.data.origin, () => this.select(-1)));
  }

  fit(direction?: THREE.Vector3): void {
    const box = new THREE.Box3();
    const body = this.bodies[this.selected];
    for (const each of body ? [body] : this.bodies.filter((candidate) => !candidate.data.backdrop && candidate.group.visible)) box.expandByObject(each.mesh);
    this.stage.fit(box, direction);
  }
  home(): void {
    this.stage.fit();
  }
  togglePanel(): void {
    this.viewport.classList.toggle('panel-closed');
    this.makeRoom();
  }
  // On a phone the panel lies over the scene; elsewhere the scene moves aside.
  private makeRoom(): void {
    const wide = this.viewport.clientWidth >= 720;
    this.stage.setInset(wide ? this.panel.root.offsetWidth : 0);
  }
  private toggleFullScreen(): void {
    if (document.fullscreenElement) void document.exitFullscreen();
    else void this.root.requestFullscreen?.();
  }
  private async savePicture(): Promise<void> {
    const bytes = Uint8Array.from(atob(this.snapshot().split(',')[1]), (character) => character.charCodeAt(0));
    save('scene.png', new Blob([bytes], { type: 'image/png' }));
  }
  get isLive(): boolean {
    return this.viewport.isConnected && !!this.stage;
  }
  snapshot(): string {
    return this.stage.snapshot();
  }
  notice(text: string): void {
    this.root.append(element('p', { class: 'notice', role: 'alert' }, text));
  }

  private applyTheme(): void {
    for (const body of this.bodies) body.refresh(isDark());
    this.stage.setTheme(isDark());
  }
}
