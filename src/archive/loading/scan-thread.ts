import { Worker } from 'node:worker_threads'
import { moduleBeside } from '../../lib/module-beside.ts'
import type { DocumentChunk } from '../../store/store.ts'
import type { ScannedChunk } from './scan-chunk.ts'

/** A thread that scans chunks, one after the other. It starts with the first. */
export class ScanThread implements AsyncDisposable {
  #worker: Worker | null = null
  #error: unknown = null
  readonly #asked: PromiseWithResolvers<ScannedChunk>[] = []

  scan({ bytes, ends }: DocumentChunk): Promise<ScannedChunk> {
    if (this.#error !== null) return Promise.reject(this.#error)
    this.#worker ??= this.#start()
    // Only a buffer that has nothing else can be handed over; the `slice` of a `Buffer` would not
    // copy.
    const own = isWhole(bytes) ? bytes : new Uint8Array(bytes)
    const ownEnds = isWhole(ends) ? ends : new Uint32Array(ends)
    this.#worker.postMessage({ bytes: own, ends: ownEnds }, [own.buffer as ArrayBuffer, ownEnds.buffer as ArrayBuffer])
    const answer = Promise.withResolvers<ScannedChunk>()
    this.#asked.push(answer)
    return answer.promise
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#worker?.terminate()
  }

  #start(): Worker {
    const worker = new Worker(moduleBeside('./scan-worker.ts', import.meta.url), { execArgv: [] })
    const fail = (error: unknown) => {
      this.#error = error
      for (const { reject } of this.#asked.splice(0)) reject(error)
    }
    worker.on('message', (scanned: ScannedChunk) => this.#asked.shift()!.resolve(scanned))
    worker.on('error', fail)
    worker.on('exit', () => fail(new Error('the thread that reads documents has ended')))
    return worker
  }
}

function isWhole({ byteLength, buffer }: Uint8Array | Uint32Array): boolean {
  return byteLength === buffer.byteLength
}
