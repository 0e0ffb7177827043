import { MEMORY } from '../files.ts'
import { storeAuditEntry } from '../queries/audit.ts'
import { storeReceipt } from '../queries/idempotency.ts'
import { isRefusal } from '../shared/attached-records.ts'
import type { WorkerReply, WorkerRequest } from './connection.ts'
import type { Database } from './database.ts'
import { needsReopen, serializeError } from './errors.ts'
import { type DatabaseFile, openDatabase, type Tables, tablesOf } from './tables.ts'

/** The database of a thread. */
export class ServedDatabase implements Disposable {
  readonly #file: DatabaseFile
  #open: { database: Database; tables: Tables } | null = null

  constructor(file: DatabaseFile) {
    this.#file = file
  }

  /** Opens the database on the first request and after a failure, so that it recovers. */
  replyTo(request: WorkerRequest): { reply: WorkerReply; transfer: ArrayBuffer[] } {
    const { id } = request
    try {
      this.#open ??= openTables(this.#file)
      const { database, tables } = this.#open
      database.hasNotified = false
      const { value, receiptStored } = run(request, database, tables)
      return { reply: { id, value, receiptStored, hasNotified: database.hasNotified }, transfer: buffersOf(value) }
    } catch (error) {
      if (needsReopen(error) && this.#file.path !== MEMORY) this[Symbol.dispose]()
      return { reply: { id, error: serializeError(error) }, transfer: [] }
    }
  }

  [Symbol.dispose](): void {
    this.#open?.tables.snapshots.closeAll()
    this.#open?.database[Symbol.dispose]()
    this.#open = null
  }
}

function run({ table, method, values, attached }: WorkerRequest, database: Database, tables: Tables) {
  const methods = tables[table as keyof Tables] as unknown as Record<string, (...values: readonly unknown[]) => unknown>
  if (attached === undefined) return { value: methods[method]!(...values), receiptStored: false }
  return database.transaction(() => {
    const value = methods[method]!(...values)
    if (isRefusal(value)) return { value, receiptStored: false }
    const { receipt, auditEntry } = attached
    if (auditEntry !== undefined) database.perform(storeAuditEntry(auditEntry))
    if (receipt !== undefined) database.perform(storeReceipt(receipt, value))
    return { value, receiptStored: receipt !== undefined }
  })
}

function openTables(file: DatabaseFile) {
  const database = openDatabase(file)
  return { database, tables: tablesOf(database, file) }
}

/** Transfers a chunk's buffers to the main thread without copying them. */
function buffersOf(value: unknown): ArrayBuffer[] {
  if (typeof value !== 'object' || value === null || !('bytes' in value && 'ends' in value)) return []
  return [(value.bytes as Uint8Array<ArrayBuffer>).buffer, (value.ends as Uint32Array<ArrayBuffer>).buffer]
}
