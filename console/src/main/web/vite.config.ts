import { defineConfig } from 'vite';

const services = {
  '/session': 'http://127.0.0.1:8083',
  '/v1': 'http://127.0.0.1:8083',
  '/v2': 'http://127.0.0.1:8083',
  '/api': 'http://127.0.0.1:8083',
  '/run/': 'http://127.0.0.1:8083',
};

export default defineConfig({
  oxc: { jsx: { runtime: 'automatic', importSource: 'preact' } },
  build: {
    outDir: '../../../target/classes/META-INF/resources',
    emptyOutDir: true,
    target: 'es2023',
    // The security policy allows no inline script and no data: font.
    modulePreload: { polyfill: false },
    assetsInlineLimit: 0,
    reportCompressedSize: false,
    // What several pages share is one file: it compresses better than many small ones.
    rolldownOptions: { output: { codeSplitting: { includeDependenciesRecursively: false, groups: [{ name: 'shared', test: /src.(exports|deployments|datasets|projects|run)./, minShareCount: 2 }] } } },
  },
  // For development: pages from Vite, everything else from a running console.
  server: { proxy: services },
});
