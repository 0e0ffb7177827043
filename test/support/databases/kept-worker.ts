import { parentPort } from 'node:worker_threads'
import type { DatabaseFile, WorkerRequest } from '../../../src/store/sqlite/connection.ts'
import { ServedDatabase } from '../../../src/store/sqlite/served-database.ts'

/** Does what `src/store/sqlite/worker.ts` does, for one database after the other. */
const port = parentPort!
let database: ServedDatabase | null = null

port.on('message', (request: WorkerRequest | { readonly file: DatabaseFile } | 'close') => {
  if (request === 'close') {
    database![Symbol.dispose]()
    port.postMessage('closed')
  } else if ('file' in request) {
    database = new ServedDatabase(request.file)
  } else {
    const { reply, transfer } = database!.replyTo(request)
    port.postMessage(reply, transfer)
  }
})
