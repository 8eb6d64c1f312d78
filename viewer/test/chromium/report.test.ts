// The sample report in real Chromium, opened from disk: what a reader does with mouse, keys and fingers.
import { rmSync } from 'node:fs';

import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { colours, folder, launch, open, type Opened, ready, serve, settle, writeSample } from './browser';

let browser: Browser;
let sample: string;
beforeAll(async () => {
  sample = await writeSample('sample');
  browser = await launch();
});
afterAll(async () => {
  await browser?.close();
  rmSync(folder, { recursive: true, force: true });
});

describe('on a desk', () => {
  let view: Opened;
  beforeAll(async () => {
    view = await open(browser, sample);
    await ready(view.page);
  });
  afterAll(async () => {
    expect(view.complaints).toEqual([]);
    await view.close();
  });

  it('shows the scene, its legend and the curves', async () => {
    const { page } = view;
    expect(await page.title()).toBe('Will the stack hold?');
    expect(await page.locator('h1').textContent()).toBe('Will the stack hold?');
    expect(await page.locator('html').getAttribute('data-ready')).toBe('true');
    const scene = await colours(page, '.scene-canvas');
    expect(scene.count).toBeGreaterThan(40);
    expect(scene.largest).toBeLessThan(0.8);
    await expect.poll(() => page.locator('.legend').isVisible()).toBe(true);
    expect(await page.locator('.legend').textContent()).toMatch(/Robustness N.*unbounded.*no value/);
    expect((await colours(page, '.legend-bar')).count).toBeGreaterThan(12);
    expect((await colours(page, '.plot-host')).count).toBeGreaterThan(5);
    expect(await page.locator('.facts-card').first().textContent()).toContain('unbounded');
  });

  it('names what lies under the pointer, with the value of the map', async () => {
    const { page } = view;
    const place = await bodyPlace(view, 'lower block');
    await page.mouse.move(place.x, place.y);
    await expect.poll(() => page.locator('.tooltip').textContent()).toMatch(/^(lower|upper) block.*Robustness: ([\d.]+ N|unbounded)would (slip|topple)$/);
    expect(await page.locator('.legend-mark').isVisible()).toBe(true);
    await page.mouse.move(2, 2);
    await expect.poll(() => page.locator('.tooltip').isVisible()).toBe(false);
  });

  it('selects a body by a click and lets go with escape', async () => {
    const { page } = view;
    const place = await bodyPlace(view, 'ball');
    const before = await page.locator('.scene-canvas').screenshot();
    await page.mouse.click(place.x, place.y);
    await expect.poll(() => page.locator('.selection').isVisible()).toBe(true);
    expect(await page.locator('.selection').textContent()).toMatch(/ball.*mass0.38 kg.*position0.15, 0.05, 0.045 m/);
    expect(await page.locator('.body-list .selected').textContent()).toBe('ball');
    expect(before.equals(await page.locator('.scene-canvas').screenshot())).toBe(false);
    await page.keyboard.press('Escape');
    await expect.poll(() => page.locator('.selection').isVisible()).toBe(false);
  });

  it('moves with the slider, and the plot follows', async () => {
    const { page } = view;
    const slider = page.locator('.time-slider');
    const before = await page.locator('.scene-canvas').screenshot();
    const box = (await slider.boundingBox())!;
    await page.mouse.move(box.x + 4, box.y + box.height / 2);
    await page.mouse.down();
    await page.mouse.move(box.x + box.width * 0.6, box.y + box.height / 2, { steps: 4 });
    await page.mouse.up();
    await settle(page);
    const time = Number(await page.locator('.plot-host').getAttribute('data-cursor'));
    expect(time).toBeGreaterThan(2.2);
    expect(time).toBeLessThan(2.6);
    expect(await page.locator('.time-readout').textContent()).toContain(`${time.toFixed(2)} s`);
    expect(await page.locator('.u-legend').textContent()).toMatch(/ball0\.\d+ m/);
    expect(before.equals(await page.locator('.scene-canvas').screenshot())).toBe(false);
  });

  it('sets the time by a press in the plot', async () => {
    const { page } = view;
    const over = page.locator('.u-over');
    await over.scrollIntoViewIfNeeded();
    const box = (await over.boundingBox())!;
    await page.mouse.click(box.x + box.width / 4, box.y + 40);
    await expect.poll(async () => Number(await page.locator('.plot-host').getAttribute('data-cursor'))).toBeCloseTo(1, 1);
  });

  it('shows and sets the time on the timeline', async () => {
    const { page } = view;
    const track = page.locator('.timeline-track').first();
    await track.scrollIntoViewIfNeeded();
    const box = (await track.boundingBox())!;
    await page.mouse.click(box.x + box.width * 0.75, box.y + 10);
    await expect.poll(async () => Number(await page.locator('.timeline-body').getAttribute('data-cursor'))).toBeCloseTo(3, 1);
    await expect.poll(async () => Number(await page.locator('.plot-host').getAttribute('data-cursor'))).toBeCloseTo(3, 1);
    const cursor = (await page.locator('.timeline-cursor').boundingBox())!;
    expect(cursor.x + cursor.width / 2).toBeCloseTo(box.x + box.width * 0.75, -0.5);
    expect(await page.locator('.timeline-mark').getAttribute('title')).toBe('bounce, 1.5 s');
  });

  it('obeys the keys', async () => {
    const { page } = view;
    const cursor = async () => Number(await page.locator('.plot-host').getAttribute('data-cursor'));
    await page.keyboard.press('Home');
    expect(await cursor()).toBe(0);
    await page.keyboard.press('ArrowRight');
    expect(await cursor()).toBeCloseTo(0.01, 6);
    await page.keyboard.press('Shift+ArrowRight');
    expect(await cursor()).toBeCloseTo(0.11, 6);
    await page.keyboard.press('ArrowLeft');
    expect(await cursor()).toBeCloseTo(0.1, 6);
    await page.keyboard.press('Space');
    await expect.poll(() => page.locator('.transport [aria-label^=Pause]').count()).toBe(1);
    await expect.poll(cursor, { timeout: 10_000 }).toBeGreaterThan(0.15);
    await page.keyboard.press('Space');
    await expect.poll(() => page.locator('.transport [aria-label^=Play]').count()).toBe(1);
    await page.keyboard.press('?');
    expect(await page.locator('dialog.help').isVisible()).toBe(true);
    await page.keyboard.press('Escape');
    expect(await page.locator('dialog.help').isVisible()).toBe(false);
    await page.keyboard.press('f');
  });

  it('turns with the mouse', async () => {
    const { page } = view;
    const canvas = page.locator('.scene-canvas');
    await canvas.scrollIntoViewIfNeeded();
    const before = await canvas.screenshot();
    const box = (await canvas.boundingBox())!;
    await page.mouse.move(box.x + box.width * 0.6, box.y + 60);
    await page.mouse.down();
    await page.mouse.move(box.x + box.width * 0.7, box.y + 90, { steps: 3 });
    await page.mouse.up();
    await settle(page);
    expect(before.equals(await canvas.screenshot())).toBe(false);
    expect(await page.locator('.selection').isVisible()).toBe(false);
    await page.keyboard.press('0');
  });

  it('switches layers and maps', async () => {
    const { page } = view;
    await page.mouse.move(2, 2);
    await settle(page);
    let picture = await page.locator('.scene-canvas').screenshot();
    const difference = async (act: () => Promise<unknown>) => {
      const before = picture;
      await act();
      await settle(page);
      picture = await page.locator('.scene-canvas').screenshot();
      return !before.equals(picture);
    };
    expect(await difference(() => page.getByRole('checkbox', { name: /Contact forces/ }).uncheck())).toBe(true);
    // Two lines of one name are one layer.
    expect(await page.getByRole('checkbox', { name: /Support polygon/ }).count()).toBe(1);
    expect(await page.locator('.layer-list li', { hasText: 'Support polygon' }).textContent()).toBe('Support polygon2');
    expect(await difference(() => page.getByRole('checkbox', { name: /Support polygon/ }).uncheck())).toBe(true);
    expect(await difference(() => page.getByRole('checkbox', { name: /Ground/ }).uncheck())).toBe(true);
    expect(await difference(() => page.locator('.map-choice').selectOption(''))).toBe(true);
    expect(await page.locator('.legend').isVisible()).toBe(false);
    expect(await difference(() => page.locator('.eye').nth(1).click())).toBe(true);
    await page.getByRole('checkbox', { name: /Names/ }).check();
    await expect.poll(() => page.locator('.name-tags').textContent()).toContain('upper block');
  });

  it('sorts a table, and a row leads to its body and motion', async () => {
    const { page } = view;
    const cells = () => page.locator('.table-card tbody tr td:first-child').allTextContents();
    const head = page.locator('th button', { hasText: 'robustness' });
    await head.click();
    expect(await cells()).toEqual(['ball', 'ring', 'upper block', 'lower block', 'table']);
    await head.click();
    expect(await cells()).toEqual(['lower block', 'upper block', 'ring', 'ball', 'table']);
    expect(await page.locator('th[aria-sort=descending]').count()).toBe(1);
    await page.locator('.table-card tbody tr', { hasText: 'upper block' }).click();
    expect(await page.locator('.selection').textContent()).toContain('upper block');
    expect(await page.locator('.motion-note').textContent()).toContain('topples');
    expect(await page.locator('.table-card tbody tr').last().textContent()).toBe('tablen/a');
    // The motion plays on otherwise, and every later step waits for its pictures.
    await page.locator('.transport [aria-label^=Pause]').evaluate((button: HTMLElement) => button.click());
    await expect.poll(() => page.locator('.transport [aria-label^=Play]').count()).toBe(1);
  });

  it('copies and saves', async () => {
    const { page } = view;
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    await page.locator('.table-tools button', { hasText: 'Copy' }).click();
    await expect.poll(() => page.locator('.table-tools [role=status]').textContent()).toBe('copied');
    const [csv] = await Promise.all([page.waitForEvent('download'), page.locator('.table-tools button', { hasText: 'CSV' }).click()]);
    expect(csv.suggestedFilename()).toBe('Weakest_pushes.csv');
    const [file] = await Promise.all([page.waitForEvent('download'), page.locator('.download').click()]);
    const text = await (await file.createReadStream()).setEncoding('utf8').toArray();
    expect(text.join('')).toBe('body,robustness_N\nball,0.2\n');
    const [picture] = await Promise.all([page.waitForEvent('download'), page.getByRole('button', { name: 'Save a picture' }).click()]);
    expect(picture.suggestedFilename()).toBe('scene.png');
  });

  it('turns dark and back', async () => {
    const { page } = view;
    const background = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor);
    const light = await background();
    await page.getByRole('button', { name: 'Light or dark (t)' }).click();
    const dark = await background();
    expect(dark).not.toBe(light);
    await page.keyboard.press('t');
    expect(await background()).toBe(light);
  });

  it('prints the scene as a picture', async () => {
    const { page } = view;
    await page.evaluate(() => window.dispatchEvent(new Event('beforeprint')));
    await page.emulateMedia({ media: 'print' });
    expect(await page.locator('.print-picture').isVisible()).toBe(true);
    expect(await page.locator('.transport').isVisible()).toBe(false);
    expect(await page.locator('html').getAttribute('data-theme')).toBe('light');
    await page.emulateMedia({ media: null });
    await page.evaluate(() => window.dispatchEvent(new Event('afterprint')));
    expect(await page.locator('.print-picture').count()).toBe(0);
  });

  it('gives everything that can be pressed a name', async () => {
    const nameless = await view.page.evaluate(() =>
      [...document.querySelectorAll('button, select, input, canvas, svg[role=img]')]
        .filter((node) => !(node.getAttribute('aria-label') || node.textContent?.trim() || (node as HTMLInputElement).labels?.length))
        .map((node) => node.outerHTML.slice(0, 80)),
    );
    expect(nameless).toEqual([]);
  });
});

// Where a body stands on the screen, from the name tags.
async function bodyPlace(view: Opened, name: string): Promise<{ x: number; y: number }> {
  const { page } = view;
  await page.getByRole('checkbox', { name: /Names/ }).check();
  await settle(page);
  const box = (await page.locator('.name-tags span', { hasText: name }).boundingBox())!;
  await page.getByRole('checkbox', { name: /Names/ }).uncheck();
  await settle(page);
  return { x: box.x + box.width / 2, y: box.y + box.height / 2 };
}

it.concurrent('fits a phone, in the dark, with fingers', async ({ expect }) => {
  const { page, complaints, close } = await open(browser, sample, { viewport: { width: 390, height: 780 }, colorScheme: 'dark', hasTouch: true, isMobile: true, reducedMotion: 'no-preference' });
  await ready(page);
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390);
  expect(await page.locator('html').getAttribute('data-theme')).toBe('dark');
  expect(await page.locator('.layer-panel').isVisible()).toBe(false);
  await page.locator('.scene-canvas').scrollIntoViewIfNeeded();
  const box = (await page.locator('.scene-canvas').boundingBox())!;
  await page.touchscreen.tap(box.x + box.width / 2, box.y + box.height * 0.62);
  await expect.poll(() => page.locator('.selection').isVisible()).toBe(true);
  expect((await colours(page, '.scene-canvas')).count).toBeGreaterThan(20);
  await page.locator('.layer-button').tap();
  expect(await page.locator('.layer-panel').isVisible()).toBe(true);
  expect(complaints).toEqual([]);
  await close();
});

it.concurrent('without WebGL says so and shows the rest', async ({ expect }) => {
  const blind = await launch('--disable-gpu', '--disable-3d-apis');
  const { page, complaints, close } = await open(blind, sample);
  await ready(page);
  expect(await page.locator('.notice').textContent()).toContain('WebGL 2 is missing');
  expect(await page.locator('.scene table').textContent()).toContain('upper block');
  expect((await colours(page, '.plot-host')).count).toBeGreaterThan(5);
  expect(complaints.filter((text) => !/WebGL/i.test(text))).toEqual([]);
  await close();
  await blind.close();
});

it.concurrent('lets no name become code', async ({ expect }) => {
  const { page, complaints, close } = await open(browser, await writeSample('hostile'));
  await ready(page);
  expect(await page.evaluate(() => (window as { broken?: number }).broken)).toBeUndefined();
  expect(await page.locator('html').getAttribute('data-ready')).toBe('true');
  // The one image is the picture that the page was given; it is shown, and its script has not run.
  expect(await page.locator('img, iframe, object').count()).toBe(1);
  expect(await page.locator('.pictures img[src^="blob:"]').evaluate((image: HTMLImageElement) => image.decode().then(() => image.naturalWidth))).toBe(40);
  expect(await page.evaluate(() => (window as { broken?: number }).broken)).toBeUndefined();
  expect(await page.locator('script').count()).toBe(3);
  expect(await page.locator('a[href^="javascript" i]').count()).toBe(0);
  expect(await page.locator('h1').textContent()).toContain('</title></script><script>window.broken=1</script>');
  expect(await page.locator('h1').textContent()).toContain('\ufffd');
  await page.locator('.body-name').click();
  expect(await page.locator('.selection strong').textContent()).toContain('<img src=x onerror=');
  expect(complaints).toEqual([]);
  await close();
});

it.concurrent('runs no script but its own', async ({ expect }) => {
  const { page, close } = await open(browser, sample);
  const ran = await page.evaluate(() => {
    const script = document.createElement('script');
    script.textContent = 'window.broken = 1';
    document.body.append(script);
    return (window as { broken?: number }).broken;
  });
  expect(ran).toBeUndefined();
  await close();
});

it.concurrent('bodies stand where the C++ library says, at rest and in motion', async ({ expect }) => {
  const { page, complaints, close } = await open(browser, await writeSample('turned'));
  await ready(page);
  await page.getByRole('checkbox', { name: /Names/ }).check();
  const distance = async (other: string) => {
    await settle(page);
    const [a, b] = await Promise.all(['turned', other].map((name) => page.locator('.name-tags span', { hasText: name }).boundingBox()));
    return Math.hypot(a!.x + a!.width / 2 - b!.x - b!.width / 2, a!.y + a!.height / 2 - b!.y - b!.height / 2);
  };
  // Half a pixel each from rounding in the layout.
  expect(await distance('at rest')).toBeLessThan(1);
  expect(await distance('later')).toBeGreaterThan(30);
  await page.locator('.motion').selectOption({ label: 'turn' });
  await expect.poll(() => distance('later')).toBeLessThan(1);
  expect(await distance('at rest')).toBeGreaterThan(30);
  expect(complaints).toEqual([]);
  await close();
});

it.concurrent('a still scene has no clock', async ({ expect }) => {
  const { page, complaints, close } = await open(browser, await writeSample('still'));
  await ready(page);
  expect(await page.locator('.transport').count()).toBe(0);
  await page.keyboard.press('Space');
  expect(await page.locator('.legend').isVisible()).toBe(false);
  expect(complaints).toEqual([]);
  await close();
});

describe.concurrent('a folder', () => {
  beforeAll(async () => void (await writeSample('folder', 'folder')));

  it('is streamed by ranges when served', async ({ expect }) => {
    const { server, url, ranges } = await serve(folder, true);
    const { page, complaints, close } = await open(browser, `${url}/folder/report.html`);
    await ready(page);
    await expect.poll(() => page.locator('.scene').getAttribute('data-loaded')).toBe('true');
    expect((await colours(page, '.scene-canvas')).count).toBeGreaterThan(40);
    expect(ranges.length).toBeGreaterThan(10);
    expect(complaints).toEqual([]);
    await close();
    server.close();
  });
  it('opened from disk asks for its data and takes it', async ({ expect }) => {
    const { page, complaints, close } = await open(browser, `${folder}/folder/report.html`);
    expect(await page.locator('.data-notice').textContent()).toContain('prehend view');
    await page.locator('input[type=file]').setInputFiles(`${folder}/folder/data.bin`);
    await ready(page);
    expect((await colours(page, '.scene-canvas')).count).toBeGreaterThan(40);
    expect(complaints).toEqual([]);
    await close();
  });
});

// Alone: it measures.
it('a run of 100 000 triangles and 10 000 frames stays fluent', async () => {
  const { page, complaints, close } = await open(browser, await writeSample('large'));
  await ready(page);
  await page.waitForSelector('.scene[data-loaded]');
  const perMoment = await page.evaluate(() => {
    const slider = document.querySelector<HTMLInputElement>('.time-slider')!;
    const start = performance.now();
    for (let k = 0; k < 200; ++k) {
      slider.value = String(k / 200);
      slider.dispatchEvent(new Event('input'));
    }
    return (performance.now() - start) / 200;
  });
  // Script for twenty moving bodies and a plot of 40 000 points: 1 ms on a quiet core, a sixtieth of a second is the limit.
  expect(perMoment).toBeLessThan(16);
  expect(complaints).toEqual([]);
  await close();
});
