import { defineConfig } from 'vite';
import { defineConfig as defineTestConfig } from 'vitest/config';

// One script and one style sheet, nothing loaded later: a report is a single file.
export default defineConfig({
  ...defineTestConfig({
    test: {
      projects: [
        { test: { name: 'unit', environment: 'node', include: ['test/unit/*.test.ts'] } },
        {
          test: {
            name: 'chromium',
            environment: 'node',
            include: ['test/chromium/*.test.ts'],
            // Asked often, given up late: a software renderer on a busy machine is slow, not wrong.
            expect: { poll: { interval: 20, timeout: 30_000 } },
            // Tabs of one browser; more than the renderer has cores for only wait for each other.
            maxConcurrency: 3,
            testTimeout: 120_000,
            hookTimeout: 120_000,
          },
        },
      ],
    },
  }),
  build: {
    target: 'es2022',
    emptyOutDir: true,
    cssCodeSplit: false,
    modulePreload: false,
    assetsInlineLimit: 1 << 20,
    chunkSizeWarningLimit: 2000,
    reportCompressedSize: false,
    rollupOptions: {
      input: 'src/main.ts',
      output: {
        format: 'iife',
        name: 'prehendViewer',
        entryFileNames: 'viewer.js',
        assetFileNames: 'viewer[extname]',
        inlineDynamicImports: true,
      },
    },
  },
});
