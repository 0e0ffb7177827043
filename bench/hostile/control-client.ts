/**
 * A client in a thread of its own that asks for `/healthz` again and again, on one connection, and
 * measures how long each answer takes.
 */
import { request as plainRequest } from 'node:http'
import { Agent, request } from 'node:https'
import { setTimeout as wait } from 'node:timers/promises'
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads'
import { percentile } from '../harness/statistics.ts'

/** The pause between two questions, in milliseconds. */
const PAUSE_MS = 2

export interface Waits {
  readonly longest: number
  readonly p99: number
  readonly count: number
}

export interface Target {
  readonly host: string
  readonly port: number
  /** For TLS: the name in the certificate, and the certificate. */
  readonly tls?: { readonly servername: string; readonly ca: string }
}

export class ControlClient implements AsyncDisposable {
  readonly #worker: Worker

  constructor(target: Target) {
    this.#worker = new Worker(new URL(import.meta.url), { workerData: target })
  }

  /** The waits since the last call, in milliseconds. */
  async takeWaits(): Promise<Waits> {
    const answer = new Promise<Waits>((resolve, reject) => {
      this.#worker.once('message', resolve)
      this.#worker.once('error', reject)
    })
    this.#worker.postMessage(null)
    return answer
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#worker.terminate()
  }
}

if (!isMainThread && parentPort !== null) {
  const { host, port, tls } = workerData as Target
  let waits: number[] = []
  let asking: number | null = null
  parentPort.on('message', () => {
    const now = performance.now()
    // One that still waits counts with what it has waited.
    const all = asking === null ? waits : [...waits, now - asking]
    parentPort!.postMessage({ longest: Math.max(...all), p99: percentile(all, 0.99), count: all.length })
    waits = []
  })
  const options = { host, port, path: '/healthz', headers: { host: tls?.servername ?? host } }
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  for (;;) {
    asking = performance.now()
    await new Promise<void>((resolve, reject) => {
      const sent = tls === undefined ? plainRequest(options) : request({ ...options, ...tls, agent })
      sent.on('error', reject).on('response', (response) => response.resume().on('end', resolve))
      sent.end()
    })
    waits.push(performance.now() - asking)
    asking = null
    await wait(PAUSE_MS)
  }
}
