import { once } from 'node:events'
import { Worker } from 'node:worker_threads'

export interface HangingCounts {
  /** Addresses that were connected to. */
  readonly addresses: number
  readonly connections: number
}

/** A server on every loopback address that accepts connections and never responds. */
export class HangingServer implements AsyncDisposable {
  readonly port: number
  readonly #worker: Worker

  static async listen(): Promise<HangingServer> {
    const worker = new Worker(new URL('hanging-worker.ts', import.meta.url))
    const [{ port }] = (await once(worker, 'message')) as [{ port: number }]
    return new HangingServer(worker, port)
  }

  private constructor(worker: Worker, port: number) {
    this.#worker = worker
    this.port = port
  }

  async counts(): Promise<HangingCounts> {
    this.#worker.postMessage('counts')
    const [counts] = (await once(this.#worker, 'message')) as [HangingCounts]
    return counts
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#worker.terminate()
  }
}
