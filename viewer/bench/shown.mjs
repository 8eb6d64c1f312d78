// How long a report takes to stand on the screen in Chromium (software rendering), and what a moment of its animation
// costs in script:  node shown.mjs REPORT.html...   The figure is the sample report shown in 2 s.
import { existsSync, statSync } from 'node:fs';
import { basename } from 'node:path';
import { pathToFileURL } from 'node:url';

import { chromium } from 'playwright-core';

const program = [process.env.PREHEND_CHROMIUM, '/usr/bin/chromium'].find((path) => path && existsSync(path));
const args = ['--no-sandbox', '--use-angle=swiftshader', '--enable-unsafe-swiftshader', '--disable-background-networking', '--no-first-run'];
const browser = await chromium.launch({ executablePath: program, args });
for (const path of process.argv.slice(2)) {
  const shown = [];
  let step = 0;
  for (let run = 0; run < 3; ++run) {
    const page = await browser.newPage({ viewport: { width: 1280, height: 800 } });
    await page.goto(pathToFileURL(path).href);
    await page.waitForFunction(() => document.documentElement.dataset.ready, undefined, { timeout: 120_000 });
    // From the start of the navigation to the first frame after everything is in place.
    shown.push(await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => done(performance.now()))))));
    if (run === 2) {
      await page.waitForSelector('.scene[data-loaded]', { timeout: 120_000 });
      step = await page.evaluate(() => {
        const slider = document.querySelector('.time-slider');
        const start = performance.now();
        for (let k = 0; k < 200; ++k) {
          slider.value = String(k / 200);
          slider.dispatchEvent(new Event('input'));
        }
        return (performance.now() - start) / 200;
      });
    }
    await page.close();
  }
  const megabytes = (statSync(path).size / 1e6).toFixed(2);
  console.log(`  ${basename(path).padEnd(20)} ${megabytes} MB, shown in ${(Math.min(...shown) / 1000).toFixed(2)} s (best of 3: ${shown.map((ms) => (ms / 1000).toFixed(2)).join(', ')}), ${step.toFixed(2)} ms of script per moment`);
}
await browser.close();
