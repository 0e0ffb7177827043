import { parentPort, workerData } from 'node:worker_threads'
import { type DatabaseFile, openDatabase, type Tables, tablesOf } from '../tables.ts'
import type { WorkerReply, WorkerRequest } from './connection.ts'
import { type Database, MEMORY } from './database.ts'
import { needsReopen, serializeError } from './errors.ts'

const file = workerData as DatabaseFile
const port = parentPort!
let open: { database: Database; tables: Tables } | null = null

port.on('message', (request: WorkerRequest | 'close') => {
  if (request === 'close') {
    close()
    port.close()
    return
  }
  const { reply, transfer } = replyTo(request)
  port.postMessage(reply, transfer)
})

/** Opens the database on the first request and after a failure, so that it recovers. */
function replyTo({ id, table, method, values }: WorkerRequest): { reply: WorkerReply; transfer: ArrayBuffer[] } {
  try {
    open ??= openTables()
    const methods = open.tables[table] as unknown as Record<string, (...values: readonly unknown[]) => unknown>
    const value = methods[method]!(...values)
    return { reply: { id, value }, transfer: buffersOf(value) }
  } catch (error) {
    if (needsReopen(error) && file.path !== MEMORY) close()
    return { reply: { id, error: serializeError(error) }, transfer: [] }
  }
}

function openTables() {
  const database = openDatabase(file)
  return { database, tables: tablesOf(database, file) }
}

function close(): void {
  open?.tables.snapshots.closeAll()
  open?.database[Symbol.dispose]()
  open = null
}

/** Transfers a chunk's buffers to the main thread without copying them. */
function buffersOf(value: unknown): ArrayBuffer[] {
  if (typeof value !== 'object' || value === null || !('bytes' in value && 'ends' in value)) return []
  return [(value.bytes as Uint8Array<ArrayBuffer>).buffer, (value.ends as Uint32Array<ArrayBuffer>).buffer]
}
