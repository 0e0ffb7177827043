import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { brotliCompressSync, constants, gzipSync } from 'node:zlib'
import { defineConfig, type Plugin } from 'vite'

const OUT = join(import.meta.dirname, 'web/dist')

/**
 * The worker's URL is one line; in a file of its own it would be a request before the first paint.
 */
const SHARED =
  /node_modules\/preact|maplibre-gl-worker\.mjs\?url|web\/shared\/(?!ground|parts)|src\/(i18n\/(?!catalogues\/(ha|yo|ig|pcm))|lib|domain)/

/** Compresses every file at the highest level, so that the server only has to send it. */
function compressAssets(): Plugin {
  return {
    name: 'compress-assets',
    closeBundle() {
      const folder = join(OUT, 'assets')
      for (const name of readdirSync(folder)) {
        if (/\.(br|gz)$/.test(name)) continue
        const bytes = readFileSync(join(folder, name))
        const params = { [constants.BROTLI_PARAM_QUALITY]: 11, [constants.BROTLI_PARAM_LGWIN]: 24 }
        writeFileSync(join(folder, `${name}.br`), brotliCompressSync(bytes, { params }))
        writeFileSync(join(folder, `${name}.gz`), gzipSync(bytes, { level: 9 }))
      }
    },
  }
}

export default defineConfig({
  root: import.meta.dirname,
  publicDir: false,
  logLevel: 'warn',
  plugins: [compressAssets()],
  build: {
    outDir: OUT,
    emptyOutDir: true,
    manifest: true,
    target: 'es2022',
    modulePreload: { polyfill: false },
    // MapLibre alone exceeds the default; test/browser/map/first-page.slow.test.ts holds the real
    // limits.
    chunkSizeWarningLimit: 1500,
    rolldownOptions: {
      input: {
        main: 'web/map/main.tsx',
        desk: 'web/desk/main.tsx',
        console: 'web/console/main.tsx',
        'sign-in': 'web/sign-in/main.tsx',
        report: 'web/report/main.ts',
        alerts: 'web/alerts/main.ts',
        docs: 'web/docs/main.ts',
        'service-worker': 'web/service-worker/main.ts',
      },
      output: {
        codeSplitting: {
          groups: [
            // The library only: with the worker's URL in this chunk, the first script would import
            // it.
            { name: 'maplibre', test: /maplibre-gl\/dist\/maplibre-gl\.mjs$/ },
            // One file that every page begins with, not one for each pair of pages.
            { name: 'shared', test: SHARED, minShareCount: 2 },
          ],
        },
      },
    },
  },
})
