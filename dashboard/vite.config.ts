import { defineConfig } from 'vite'
import { gazetteer } from './build/gazetteer.ts'

export default defineConfig({
  root: import.meta.dirname,
  base: './',
  // The build that src/dashboard-build.ts asks for names its own folder with --outDir.
  build: {
    outDir: 'dist',
    emptyOutDir: true,
    target: 'es2023',
    // A data: address would be one more thing for the content security policy to allow.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    // ECharts with only the parts in use is one chunk of about 600 kB before compression.
    chunkSizeWarningLimit: 700,
  },
  oxc: { jsx: { runtime: 'automatic', importSource: 'preact' } },
  plugins: [gazetteer()],
})
