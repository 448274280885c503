import { defineConfig } from 'vitest/config';

// Tests import stylesheets as text.
export default defineConfig({ test: { include: ['test/**/*.test.ts'], css: true } });
