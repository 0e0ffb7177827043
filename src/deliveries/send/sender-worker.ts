import { parentPort, workerData } from 'node:worker_threads'
import { resolvedNames } from '../guard/name-resolver.ts'
import type { FromThread, PostedRequest, PostedResult, SenderSettings, ToThread } from './sending-thread.ts'
import { WebhookSender } from './webhook-sender.ts'

const { allowPrivate, nameServers } = workerData as SenderSettings
const port = parentPort!
const sender = new WebhookSender({ guard: { allowPrivate, ...resolvedNames(nameServers) } })

let results: PostedResult[] = []

port.on('message', (message: ToThread) => {
  if (message === 'close') void close()
  else for (const posted of message) void send(posted)
})

async function send({ number, request, accountId }: PostedRequest): Promise<void> {
  try {
    addResult({ number, sent: await sender.post(request, accountId) })
  } catch (error) {
    addResult({ number, fault: String(error) })
  }
}

/** The answers that arrive in one turn of the event loop are passed on together. */
function addResult(result: PostedResult): void {
  if (results.length === 0) setImmediate(passOn)
  results.push(result)
}

function passOn(): void {
  if (results.length > 0) port.postMessage(results satisfies FromThread)
  results = []
}

async function close(): Promise<void> {
  await sender[Symbol.asyncDispose]()
  passOn()
  port.close()
}
