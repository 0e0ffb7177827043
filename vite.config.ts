import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { brotliCompressSync, constants, gzipSync } from 'node:zlib'
import { defineConfig, type Plugin } from 'vite'

const OUT = join(import.meta.dirname, 'web/dist')

/** Compresses as hard as it goes, once, so that the server only has to send. */
function compressed(): Plugin {
  return {
    name: 'compressed',
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
  plugins: [compressed()],
  build: {
    outDir: OUT,
    emptyOutDir: true,
    manifest: true,
    target: 'es2022',
    modulePreload: { polyfill: false },
    // MapLibre alone is larger than the warning allows; what counts is measured in test/web/weight.test.ts.
    chunkSizeWarningLimit: 1500,
    rolldownOptions: {
      input: 'web/map/main.tsx',
      // The library alone: with the address of its worker, the page would wait for all of it.
      output: { codeSplitting: { groups: [{ name: 'maplibre', test: /maplibre-gl\/dist\/maplibre-gl\.mjs$/ }] } },
    },
  },
})
