import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { parentPort } from 'node:worker_threads'
import { initWasm, Resvg } from '@resvg/resvg-wasm'

/**
 * Draws SVG as PNG in a thread of its own: one image takes a quarter of a second, too long for the
 * event loop that answers requests.
 */
const WASM = fileURLToPath(import.meta.resolve('@resvg/resvg-wasm/index_bg.wasm'))
const FONTS = ['NotoSans-Regular.ttf', 'NotoSans-Bold.ttf']

await initWasm(readFileSync(WASM))
const font = {
  fontBuffers: FONTS.map((name) => readFileSync(new URL(`fonts/${name}`, import.meta.url))),
  defaultFontFamily: 'Noto Sans',
  sansSerifFamily: 'Noto Sans',
}

parentPort!.on('message', (svg: string) => {
  try {
    parentPort!.postMessage({ png: draw(svg) })
  } catch (error) {
    parentPort!.postMessage({ error: String(error) })
  }
})

function draw(svg: string): Uint8Array {
  const image = new Resvg(svg, { font })
  const rendered = image.render()
  const png = rendered.asPng()
  // WASM memory is not collected.
  rendered.free()
  image.free()
  return png
}
