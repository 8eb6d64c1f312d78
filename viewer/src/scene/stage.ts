// Camera, light, ground and the loop that draws when something changed, and only then.
import * as THREE from 'three';
import { OrbitControls } from 'three/examples/jsm/controls/OrbitControls.js';

import type { SceneData } from '../page_data';
import { groundGrid, type GroundGrid } from './ground_grid';

THREE.Object3D.DEFAULT_UP.set(0, 0, 1);

export class Stage {
  readonly scene = new THREE.Scene();
  readonly content = new THREE.Group();
  readonly camera = new THREE.PerspectiveCamera(32, 1, 0.1, 100);
  readonly renderer: THREE.WebGLRenderer;
  readonly controls: OrbitControls;
  readonly grid: GroundGrid;
  readonly centre = new THREE.Vector3();
  private readonly key = new THREE.DirectionalLight(0xffffff, 2.1);
  private readonly catcher: THREE.Mesh<THREE.PlaneGeometry, THREE.ShadowMaterial>;
  private readonly home: THREE.Vector3;
  private scheduled = 0;
  private lastFrame = 0;
  private started = false;
  private tickers: ((elapsed: number) => boolean)[] = [];
  private drawn: (() => void)[] = [];
  private inset = 0;
  private width = 0;
  private height = 0;

  // Throws when the browser has no WebGL 2.
  constructor(
    readonly host: HTMLElement,
    readonly data: SceneData,
  ) {
    this.renderer = new THREE.WebGLRenderer({ antialias: true, alpha: true, powerPreference: 'high-performance' });
    this.renderer.setPixelRatio(Math.min(window.devicePixelRatio || 1, 2));
    // Asking for errors would wait for every shader; a shader that fails is a defect the tests see.
    this.renderer.debug.checkShaderErrors = import.meta.env.DEV;
    this.renderer.shadowMap.enabled = true;
    this.renderer.shadowMap.type = THREE.PCFShadowMap;
    this.renderer.shadowMap.autoUpdate = false;
    const canvas = this.renderer.domElement;
    canvas.className = 'scene-canvas';
    canvas.tabIndex = 0;
    canvas.setAttribute('role', 'img');
    host.append(canvas);

    this.centre.set(...data.lower).add(new THREE.Vector3(...data.upper)).multiplyScalar(0.5);
    this.home = new THREE.Vector3(...data.viewDirection).normalize();
    this.scene.add(this.content);
    this.addLights();
    const ground = data.ground ?? data.lower[2] - 1e-4 * data.size;
    this.grid = groundGrid(data.size, this.centre, ground, data.origin);
    this.catcher = new THREE.Mesh(new THREE.PlaneGeometry(8 * data.size, 8 * data.size), new THREE.ShadowMaterial({ opacity: 0.2 }));
    this.catcher.position.set(this.centre.x, this.centre.y, ground);
    this.catcher.receiveShadow = true;
    this.catcher.material.depthWrite = false;
    this.scene.add(this.grid.mesh, this.catcher);

    this.controls = new OrbitControls(this.camera, canvas);
    // Coasting after the hand lets go, unless the reader has asked for less motion.
    this.controls.enableDamping = !matchMedia('(prefers-reduced-motion: reduce)').matches;
    this.controls.dampingFactor = 0.15;
    this.controls.addEventListener('change', () => this.request());
    new ResizeObserver(() => this.resize()).observe(host);
    this.resize();
    this.fit();
  }

  private addLights(): void {
    const { size } = this.data;
    this.scene.add(new THREE.HemisphereLight(0xffffff, 0xb9b3a8, 1.9));
    this.key.position.copy(this.centre).add(new THREE.Vector3(-0.6, -0.45, 1.2).multiplyScalar(size));
    this.key.target.position.copy(this.centre);
    this.key.castShadow = true;
    this.key.shadow.mapSize.set(2048, 2048);
    const camera = this.key.shadow.camera;
    [camera.left, camera.right, camera.top, camera.bottom] = [-0.95 * size, 0.95 * size, 0.95 * size, -0.95 * size];
    [camera.near, camera.far] = [0.05 * size, 4 * size];
    this.key.shadow.radius = 5;
    this.key.shadow.normalBias = 0.004 * size;
    this.key.shadow.bias = -0.0005;
    const fill = new THREE.DirectionalLight(0xdfe9ff, 0.5);
    fill.position.copy(this.centre).add(new THREE.Vector3(0.9, -0.3, 0.5).multiplyScalar(size));
    fill.target.position.copy(this.centre);
    this.scene.add(this.key, this.key.target, fill, fill.target);
  }

  setTheme(dark: boolean): void {
    this.grid.setTheme(dark);
    this.catcher.material.opacity = dark ? 0.45 : 0.2;
    this.request();
  }
  setGround(visible: boolean): void {
    this.grid.mesh.visible = visible;
    this.catcher.visible = visible;
    this.request();
  }

  // Called before each drawing with the seconds since the last; answers whether it wants to go on.
  onTick(ticker: (elapsed: number) => boolean): void {
    this.tickers.push(ticker);
  }
  onDrawn(listener: () => void): void {
    this.drawn.push(listener);
  }
  request(moved = false): void {
    if (moved) this.renderer.shadowMap.needsUpdate = true;
    if (this.started && !this.scheduled) this.scheduled = requestAnimationFrame((now) => this.frame(now));
  }

  // Nothing is drawn before the scene is complete: half a scene costs as much as a whole one.
  start(): void {
    this.started = true;
    this.request(true);
  }

  private frame(now: number): void {
    this.scheduled = 0;
    // After a pause the first step is a single frame's length, not the pause.
    const elapsed = this.lastFrame && now - this.lastFrame < 500 ? (now - this.lastFrame) / 1000 : 1 / 60;
    let goOn = false;
    for (const ticker of this.tickers) goOn = ticker(elapsed) || goOn;
    this.controls.update();
    this.draw();
    if (goOn) this.request();
    this.lastFrame = this.scheduled ? now : 0;
  }

  draw(): void {
    const distance = this.camera.position.distanceTo(this.controls.target);
    this.camera.near = Math.max(distance * 0.02, this.data.size * 1e-4);
    this.camera.far = distance * 8 + 40 * this.data.size;
    this.camera.updateProjectionMatrix();
    this.renderer.render(this.scene, this.camera);
    for (const listener of this.drawn) listener();
  }

  private resize(): void {
    const { clientWidth: width, clientHeight: height } = this.host;
    if (!width || !height || (width === this.width && height === this.height)) return;
    [this.width, this.height] = [width, height];
    this.renderer.setSize(width, height, false);
    this.applyInset();
    // At once, because a resized canvas is empty until it is drawn.
    if (this.started) this.draw();
  }

  // Pixels at the left that a panel covers: the scene stands in the middle of what is free.
  setInset(left: number): void {
    this.inset = left;
    this.applyInset();
    this.request();
  }
  private applyInset(): void {
    const { width, height } = this;
    if (!width || !height) return;
    this.camera.aspect = width / height;
    if (this.inset > 0) this.camera.setViewOffset(width, height, -this.inset / 2, 0, width, height);
    else this.camera.clearViewOffset();
    this.camera.updateProjectionMatrix();
  }

  // Looks at the box (the scene's own without one) from `direction` (the present one without).
  fit(box?: THREE.Box3, direction?: THREE.Vector3): void {
    const around = box && !box.isEmpty() ? box : new THREE.Box3(new THREE.Vector3(...this.data.lower), new THREE.Vector3(...this.data.upper));
    const centre = around.getCenter(new THREE.Vector3());
    const away = direction ?? (box ? this.camera.position.clone().sub(this.controls.target).normalize() : this.home);
    this.controls.target.copy(centre);
    this.camera.position.copy(centre).add(away);
    this.camera.lookAt(centre);
    this.camera.position.copy(centre).addScaledVector(away, 1.12 * this.distanceToSee(around, centre));
    this.controls.update();
    this.request();
  }

  // How far away every corner of the box is inside the picture.
  private distanceToSee(box: THREE.Box3, centre: THREE.Vector3): number {
    const turn = this.camera.quaternion.clone().invert();
    const tall = Math.tan((this.camera.fov * Math.PI) / 360);
    const wide = tall * this.camera.aspect * (this.width ? 1 - this.inset / this.width : 1);
    let distance = 1e-3 * this.data.size;
    for (let k = 0; k < 8; ++k) {
      const corner = new THREE.Vector3(k & 1 ? box.max.x : box.min.x, k & 2 ? box.max.y : box.min.y, k & 4 ? box.max.z : box.min.z);
      const { x, y, z } = corner.sub(centre).applyQuaternion(turn);
      distance = Math.max(distance, z + Math.abs(y) / tall, z + Math.abs(x) / wide);
    }
    return distance;
  }

  snapshot(): string {
    this.draw();
    return this.renderer.domElement.toDataURL('image/png');
  }
}
