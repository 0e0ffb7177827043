import { DatabaseSync } from 'node:sqlite'
import { parentPort } from 'node:worker_threads'
import { MEMORY } from '../../../src/store/files.ts'
import type { DatabaseFile, WorkerRequest } from '../../../src/store/sqlite/connection.ts'
import { type Database, openCopied } from '../../../src/store/sqlite/database.ts'
import { migrate } from '../../../src/store/sqlite/migrate.ts'
import { openDatabase, ServedDatabase } from '../../../src/store/sqlite/served-database.ts'

/** Does what `src/store/sqlite/worker.ts` does, for one database after the other. */
const port = parentPort!
let database: ServedDatabase | null = null

port.on('message', (request: WorkerRequest | { readonly file: DatabaseFile } | 'close') => {
  if (request === 'close') {
    database![Symbol.dispose]()
    port.postMessage('closed')
  } else if ('file' in request) {
    database = new ServedDatabase(request.file, openKept)
  } else {
    const { reply, transfer } = database!.replyTo(request)
    port.postMessage(reply, transfer)
  }
})

let migrated: Uint8Array | null = null

/** Databases in memory are copies of one: its migrations take forty times as long as copying it. */
function openKept(file: DatabaseFile): Database {
  if (file.path !== MEMORY) return openDatabase(file)
  if (migrated === null) {
    const connection = new DatabaseSync(MEMORY)
    using first = openCopied(connection, null)
    migrate(first)
    migrated = connection.serialize()
  }
  return openCopied(new DatabaseSync(MEMORY, { timeout: file.busyTimeout }), migrated)
}
