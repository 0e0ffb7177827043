import type { MapAssets } from '../../api/web-assets.ts'

/** The built worker with the list of the files that it keeps, the page's script first. */
export function serviceWorkerScript({ script, preloads, styles, serviceWorker, files }: MapAssets): Buffer {
  const needed = `self.NEEDED_FILES=${JSON.stringify([script, ...preloads, ...styles])};\n`
  return Buffer.concat([Buffer.from(needed), files.get(serviceWorker)!.bytes.identity])
}
