import { parentPort } from 'node:worker_threads'
import { parseItems } from './parse-items.ts'

/** Reads one document at a time; see feed-reader.ts. */
parentPort!.on('message', (document: string) => {
  try {
    parentPort!.postMessage({ items: parseItems(document) })
  } catch (error) {
    parentPort!.postMessage({ fault: (error as Error).message })
  }
})
