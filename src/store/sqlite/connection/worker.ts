import { parentPort, workerData } from 'node:worker_threads'
import { type DatabaseFile, type Nouns, nounsOf, openDatabase } from '../tables.ts'
import type { Answer, Request } from './connection.ts'
import { type Database, MEMORY } from './database.ts'
import { asksToReopen, failureOf } from './errors.ts'

const file = workerData as DatabaseFile
const port = parentPort!
let open: { database: Database; nouns: Nouns } | null = null

port.on('message', (request: Request | 'close') => {
  if (request === 'close') {
    close()
    port.close()
    return
  }
  const { answer, transfer } = answerTo(request)
  port.postMessage(answer, transfer)
})

/** Opens when first asked, and again after a failed attempt: a database that was away is then simply there. */
function answerTo({ id, noun, method, values }: Request): { answer: Answer; transfer: ArrayBuffer[] } {
  try {
    open ??= openNouns()
    const methods = open.nouns[noun] as unknown as Record<string, (...values: readonly unknown[]) => unknown>
    const value = methods[method]!(...values)
    return { answer: { id, value }, transfer: buffersOf(value) }
  } catch (error) {
    if (asksToReopen(error) && file.path !== MEMORY) close()
    return { answer: { id, failure: failureOf(error) }, transfer: [] }
  }
}

function openNouns() {
  const database = openDatabase(file)
  return { database, nouns: nounsOf(database, file) }
}

function close(): void {
  open?.nouns.snapshots.closeAll()
  open?.database[Symbol.dispose]()
  open = null
}

/** A chunk's megabyte changes hands without being copied. */
function buffersOf(value: unknown): ArrayBuffer[] {
  if (typeof value !== 'object' || value === null || !('bytes' in value && 'ends' in value)) return []
  return [(value.bytes as Uint8Array<ArrayBuffer>).buffer, (value.ends as Uint32Array<ArrayBuffer>).buffer]
}
