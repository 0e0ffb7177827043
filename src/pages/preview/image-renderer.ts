import { Worker } from 'node:worker_threads'
import { Problem } from '../../domain/errors.ts'
import { moduleBeside } from '../../lib/concurrency.ts'
import { machine, type Timer } from '../../lib/runtime.ts'

/** Images that wait for the one being drawn; at a quarter of a second each, nobody waits long. */
const MAX_WAITING = 16
/** Far more than any of our images takes: the thread is stuck. */
const TIMEOUT_MS = 10_000
/** The thread holds about 100 MB, which a service that draws no images should not. */
const IDLE_MS = 60_000

interface Job {
  readonly svg: string
  readonly resolve: (png: Buffer) => void
  readonly reject: (error: Error) => void
}

type Answer = { readonly png: Uint8Array } | { readonly error: string }

/**
 * Draws one image after the other in a worker thread, which starts with the first and ends when
 * idle.
 */
export class ImageRenderer {
  readonly #waiting: Job[] = []
  #worker: Worker | null = null
  #current: Job | null = null
  #timer: Timer | undefined

  /** Throws 503 `busy` if too many images wait. */
  draw(svg: string): Promise<Buffer> {
    if (this.#waiting.length >= MAX_WAITING)
      throw new Problem('busy', 'Too many preview images are waiting to be drawn.', { headers: { 'retry-after': '5' } })
    const { promise, resolve, reject } = Promise.withResolvers<Buffer>()
    this.#waiting.push({ svg, resolve, reject })
    this.#next()
    return promise
  }

  #next(): void {
    if (this.#current !== null) return
    machine.clear(this.#timer)
    const job = this.#waiting.shift()
    if (job === undefined) {
      this.#timer = machine.setInterval(() => this.#stop(), IDLE_MS)
      return
    }
    this.#current = job
    this.#timer = machine.setTimeout(() => this.#fail(new Error('the image took too long')), TIMEOUT_MS)
    this.#worker ??= this.#start()
    this.#worker.postMessage(job.svg)
  }

  #start(): Worker {
    const worker = new Worker(moduleBeside('./render-worker.ts', import.meta.url), { execArgv: [] })
    worker.on('message', (answer: Answer) => {
      const job = this.#current
      this.#current = null
      if ('png' in answer) job?.resolve(Buffer.from(answer.png))
      else job?.reject(new Error(`the image cannot be drawn: ${answer.error}`))
      this.#next()
    })
    worker.on('error', (error) => this.#fail(error instanceof Error ? error : new Error(String(error))))
    // An idle thread must not keep the process alive; listening to its messages would.
    worker.unref()
    return worker
  }

  /** Ends the thread; the next image starts another. */
  #fail(error: Error): void {
    const job = this.#current
    this.#current = null
    this.#stop()
    job?.reject(error)
    this.#next()
  }

  #stop(): void {
    void this.#worker?.terminate()
    this.#worker = null
  }
}
