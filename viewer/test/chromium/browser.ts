// A real Chromium for the tests, and the sample pages written by the C++ library.
import { execFile } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { promisify } from 'node:util';

import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core';

const PROGRAMS = [process.env.PREHEND_CHROMIUM, '/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'];
// Software WebGL, and no word to the network.
const ARGUMENTS = [
  '--no-sandbox',
  '--use-angle=swiftshader',
  '--enable-unsafe-swiftshader',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-default-apps',
  '--disable-sync',
  '--no-first-run',
  '--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1',
];

export async function launch(...more: string[]): Promise<Browser> {
  const program = PROGRAMS.find((path) => path && existsSync(path));
  if (!program) throw new Error('no Chromium found; install it (apt-get install chromium) or name it in PREHEND_CHROMIUM');
  return chromium.launch({ executablePath: program, args: [...ARGUMENTS, ...more], headless: true });
}

const bin = process.env.PREHEND_BIN ?? join(fileURLToPath(new URL('.', import.meta.url)), '../../../build/release/bin');
export const folder = mkdtempSync(join(tmpdir(), 'prehend-report-'));

export async function writeSample(what: string, name = `${what}.html`): Promise<string> {
  const path = join(folder, name);
  await promisify(execFile)(join(bin, 'report_sample_tool'), [what, path]);
  return path;
}

export interface Opened {
  page: Page;
  complaints: string[]; // console errors and warnings, uncaught errors, requests to a network
  close(): Promise<void>;
}

export async function open(browser: Browser, url: string, options: BrowserContextOptions = {}): Promise<Opened> {
  const context = await browser.newContext({ viewport: { width: 1000, height: 620 }, reducedMotion: 'reduce', ...options });
  const page = await context.newPage();
  const complaints: string[] = [];
  page.on('console', (message) => {
    // The software renderer reports its own slowness when pixels are read back; that is the test's doing.
    if (['error', 'warning'].includes(message.type()) && !/GPU stall due to ReadPixels/.test(message.text())) complaints.push(message.text());
  });
  page.on('pageerror', (error) => complaints.push(String(error)));
  page.on('request', (request) => {
    if (!/^(file|data|blob):|^http:\/\/127\.0\.0\.1/.test(request.url())) complaints.push(`asked for ${request.url()}`);
  });
  await page.goto(url.startsWith('http') ? url : pathToFileURL(url).href);
  return { page, complaints, close: () => context.close() };
}

export async function ready(page: Page): Promise<void> {
  await page.waitForFunction(() => document.documentElement.dataset.ready !== undefined, undefined, { timeout: 45_000 });
}

// Two drawings of the page: what was asked for is on the screen then.
export async function settle(page: Page): Promise<void> {
  await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));
}

// How many clearly different colours an element shows (4 bits per channel), and the share of the most common one.
export async function colours(page: Page, selector: string): Promise<{ count: number; largest: number }> {
  await settle(page);
  const shot = (await page.locator(selector).first().screenshot()).toString('base64');
  return page.evaluate(async (png) => {
    const picture = new Image();
    picture.src = `data:image/png;base64,${png}`;
    await picture.decode();
    const canvas = new OffscreenCanvas(picture.width, picture.height);
    const context = canvas.getContext('2d')!;
    context.drawImage(picture, 0, 0);
    const { data } = context.getImageData(0, 0, canvas.width, canvas.height);
    const counts = new Map<number, number>();
    for (let i = 0; i < data.length; i += 4) {
      const key = ((data[i] >> 4) << 8) | ((data[i + 1] >> 4) << 4) | (data[i + 2] >> 4);
      counts.set(key, (counts.get(key) ?? 0) + 1);
    }
    const frequent = [...counts.values()].filter((count) => count > data.length / 4 / 5000);
    return { count: frequent.length, largest: Math.max(...counts.values()) / (data.length / 4) };
  }, shot);
}

// A server of the folder on the loopback, with or without ranges.
export function serve(root: string, withRanges: boolean): Promise<{ server: Server; url: string; ranges: string[] }> {
  const ranges: string[] = [];
  const server = createServer((request, response) => {
    const bytes = readFileSync(join(root, decodeURIComponent(new URL(request.url!, 'http://x').pathname)));
    const range = /^bytes=(\d+)-(\d+)$/.exec(request.headers.range ?? '');
    if (range && withRanges) {
      ranges.push(range[0]);
      response.writeHead(206, { 'Content-Range': `bytes ${range[1]}-${range[2]}/${bytes.length}` });
      response.end(bytes.subarray(Number(range[1]), Number(range[2]) + 1));
      return;
    }
    response.writeHead(200, { 'Content-Type': request.url!.endsWith('.html') ? 'text/html' : 'application/octet-stream' });
    response.end(bytes);
  });
  return new Promise((done) => {
    server.listen(0, '127.0.0.1', () => {
      const { port } = server.address() as { port: number };
      done({ server, url: `http://127.0.0.1:${port}`, ranges });
    });
  });
}
