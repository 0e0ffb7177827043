import type { Dispatcher } from 'undici'
import type { EndpointReply } from '../../domain/delivery.ts'
import { failed, failureOf } from './failure.ts'

type Settle = (reply: EndpointReply, reusable: boolean) => void

/**
 * Follows one request to its response, error or timeout. The connection is reusable only after a
 * response that was read to its end; otherwise the receiver of `settle` must close it.
 */
export class Exchange implements Dispatcher.DispatchHandler {
  readonly #settle: Settle
  readonly #timer: NodeJS.Timeout
  readonly #body = new ResponseBodyStart()
  #settled = false
  #status: number | null = null
  #retryAfter: string | null = null

  /** `elapsedMs` is what resolving the name has taken of the timeout. */
  constructor(settle: Settle, timeoutMs: number, elapsedMs: number) {
    this.#settle = settle
    this.#timer = setTimeout(() => this.#timeOut(timeoutMs), Math.max(0, timeoutMs - elapsedMs))
  }

  /** undici recognises handlers of this interface by this method. */
  onRequestStart(): void {}

  onResponseStart(
    _: Dispatcher.DispatchController,
    status: number,
    headers: Record<string, string | string[] | undefined>,
  ): void {
    if (status < 200) return
    this.#status = status
    this.#retryAfter = String(headers['retry-after'] ?? '') || null
  }

  onResponseData(_: Dispatcher.DispatchController, chunk: Buffer): void {
    if (!this.#body.addChunk(chunk)) this.#settleAnswered(false)
  }

  onResponseEnd(): void {
    this.#settleAnswered(true)
  }

  onResponseError(_: Dispatcher.DispatchController, error: Error): void {
    this.#settleOnce(failureOf(error), false)
  }

  #settleAnswered(readToEnd: boolean): void {
    const status = this.#status!
    const message = `The endpoint answered ${status}.`
    const reply = { kind: 'answered', status, message, body: this.#body.text(), retryAfter: this.#retryAfter } as const
    this.#settleOnce(reply, readToEnd)
  }

  #timeOut(timeoutMs: number): void {
    const progress = this.#status === null ? 'did not answer' : `answered ${this.#status} but did not finish`
    this.#settleOnce(failed('timeout', `The endpoint ${progress} within ${timeoutMs / 1000} s.`), false)
  }

  #settleOnce(reply: EndpointReply, reusable: boolean): void {
    if (this.#settled) return
    this.#settled = true
    clearTimeout(this.#timer)
    this.#settle(reply, reusable)
  }
}

/** Bytes read before the connection is closed. */
const MAX_READ_BYTES = 64 * 1024
const MAX_KEPT_BYTES = 1024

const NOTHING = Buffer.alloc(0)

/** Keeps the start of a response body, for the watch's owner. */
class ResponseBodyStart {
  #readBytes = 0
  #kept = NOTHING

  /** Returns false once nothing more should be read. */
  addChunk(chunk: Buffer): boolean {
    if (this.#kept.length < MAX_KEPT_BYTES) {
      this.#kept = Buffer.concat([this.#kept, chunk.subarray(0, MAX_KEPT_BYTES - this.#kept.length)])
    }
    this.#readBytes += chunk.length
    return this.#readBytes < MAX_READ_BYTES
  }

  /**
   * Replaces invalid UTF-8 and control characters by U+FFFD, because not every database can store
   * them. Drops a character that the limit cuts in two.
   */
  text(): string {
    if (this.#kept.length === 0) return ''
    const text = new TextDecoder().decode(this.#kept, { stream: this.#kept.length === MAX_KEPT_BYTES })
    return text.replace(/[^\P{Cc}\t\n\r]/gu, '\ufffd')
  }
}
