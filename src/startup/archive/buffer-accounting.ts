import { setFlagsFromString } from 'node:v8'

const FLAG = 'external-memory-accounted-in-global-limit'

/**
 * By default V8 goes through all objects of the process for every 64 MB of buffers that come into
 * use: some thirty times while an archive of a million incidents is read. Until this is disposed
 * of, it does so when buffers and objects together have grown by a third. A running service would
 * keep a hundred megabytes more that way.
 */
export function countBuffersWithObjects(): Disposable {
  setFlagsFromString(`--${FLAG}`)
  return { [Symbol.dispose]: () => setFlagsFromString(`--no-${FLAG}`) }
}
