import { parentPort, workerData } from 'node:worker_threads'
import type { DatabaseFile, WorkerRequest } from './connection.ts'
import { ServedDatabase } from './served-database.ts'

const database = new ServedDatabase(workerData as DatabaseFile)
const port = parentPort!

port.on('message', (request: WorkerRequest | 'close') => {
  if (request === 'close') {
    database[Symbol.dispose]()
    port.close()
    return
  }
  const { reply, transfer } = database.replyTo(request)
  port.postMessage(reply, transfer)
})
