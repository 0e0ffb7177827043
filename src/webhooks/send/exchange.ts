import type { Dispatcher } from 'undici'
import type { SendResult } from '../../domain/delivery/send-result.ts'
import { failureOf, type SendFailure } from './failure.ts'
import { ResponseBodyStart } from './response-body.ts'

export type ExchangeResult = SendFailure | Pick<SendResult, 'status' | 'message' | 'answer' | 'retryAfter'>

/**
 * Follows one request to its end, which comes with the answer, with an error or with the limit, whichever is first. The connection
 * can be used again only after an answer that was read to its end; otherwise whoever is told must close it.
 */
export class Exchange implements Dispatcher.DispatchHandler {
  readonly #settle: (ended: ExchangeResult, reusable: boolean) => void
  readonly #timer: NodeJS.Timeout
  readonly #body = new ResponseBodyStart()
  #over = false
  #status: number | null = null
  #retryAfter: string | null = null

  constructor(settle: (ended: ExchangeResult, reusable: boolean) => void, limitMs: number) {
    this.#settle = settle
    this.#timer = setTimeout(() => this.#giveUp(limitMs), limitMs)
  }

  /** undici tells handlers of this kind by it. */
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
    if (!this.#body.addChunk(chunk)) this.#answered(false)
  }

  onResponseEnd(): void {
    this.#answered(true)
  }

  onResponseError(_: Dispatcher.DispatchController, error: Error): void {
    this.#end(failureOf(error), false)
  }

  #answered(toItsEnd: boolean): void {
    const status = this.#status!
    const message = `The endpoint answered ${status}.`
    this.#end({ status, message, answer: this.#body.text(), retryAfter: this.#retryAfter }, toItsEnd)
  }

  #giveUp(limitMs: number): void {
    const begun = this.#status === null ? 'did not answer' : `answered ${this.#status} but did not finish`
    this.#end({ failure: 'timeout', message: `The endpoint ${begun} within ${limitMs / 1000} s.` }, false)
  }

  #end(ended: ExchangeResult, reusable: boolean): void {
    if (this.#over) return
    this.#over = true
    clearTimeout(this.#timer)
    this.#settle(ended, reusable)
  }
}
