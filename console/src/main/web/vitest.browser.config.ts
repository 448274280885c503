import { resolve } from 'node:path';
import { defineConfig } from 'vitest/config';

// Pages in a real Chromium against a running console: npm run test:browser. With WAYBILL_FIGURES, the file for its results, it
// measures instead.
export default defineConfig({
  resolve: { alias: { 'playwright-core': resolve(__dirname, 'node_modules/playwright-core/index.mjs'), 'axe-source': resolve(__dirname, 'node_modules/axe-core/axe.min.js') } },
  server: { fs: { strict: false } },
  test: { root: resolve(__dirname, '../../test/browser'), include: [process.env['WAYBILL_FIGURES'] ? '**/*.measure.ts' : '**/*.spec.ts'], testTimeout: 300_000, hookTimeout: 60_000, fileParallelism: false },
});
