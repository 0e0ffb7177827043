import type {
  ChangeWatchBody,
  CreateWatchBody,
  ListWatchesAnswer,
  ListWatchesQuery,
  PreviewWatchAnswer,
  PreviewWatchBody,
  RecoverWatchAnswer,
  RecoverWatchBody,
  RetryWatchAnswer,
  RotateSecretBody,
  TestWatchAnswer,
  TestWatchBody,
  Watch,
  WatchWithSecret,
} from '../generated/types.ts'
import type { Send } from '../http/transport.ts'
import type { CallOptions, WriteOptions } from '../options.ts'
import { entriesOf } from '../paging.ts'

/** Webhooks: saved filters with the endpoint that receives what matches: `feed.watches`. */
export class Watches {
  readonly #send: Send

  /** Use `feed.watches` instead. */
  constructor(send: Send) {
    this.#send = send
  }

  /** Creates a watch. Store its `secret`, which is shown only once: `unwrap` needs it. */
  create(watch: CreateWatchBody, options?: WriteOptions): Promise<WatchWithSecret> {
    return this.#send('POST', '/v1/watches', { body: watch }, options)
  }

  /** Every watch of the account, newest first, over all pages. */
  list(query: ListWatchesQuery = {}, options?: CallOptions): AsyncGenerator<Watch, void, undefined> {
    return entriesOf((cursor) => this.page({ ...query, cursor }, options), query.cursor)
  }

  /** One page of watches. */
  page(query: ListWatchesQuery = {}, options?: CallOptions): Promise<ListWatchesAnswer> {
    return this.#send('GET', '/v1/watches', { query }, options)
  }

  /** One watch. */
  get(id: string, options?: CallOptions): Promise<Watch> {
    return this.#send('GET', pathOf(id), {}, options)
  }

  /** Changes the fields that are given; `status` pauses and resumes. */
  update(id: string, changes: ChangeWatchBody, options?: CallOptions): Promise<Watch> {
    return this.#send('PATCH', pathOf(id), { body: changes }, options)
  }

  /** Deletes a watch with its log; nothing more is sent. */
  delete(id: string, options?: CallOptions): Promise<void> {
    return this.#send('DELETE', pathOf(id), {}, options)
  }

  /** Counts the messages that a watch with this filter would have sent; with the newest matches. */
  preview(question: PreviewWatchBody, options?: CallOptions): Promise<PreviewWatchAnswer> {
    return this.#send('POST', '/v1/watches/preview', { body: question }, options)
  }

  /** Sends one signed message with `"test": true`, and returns what your endpoint answered. */
  test(id: string, message: TestWatchBody = {}, options?: WriteOptions): Promise<TestWatchAnswer> {
    return this.#send('POST', `${pathOf(id)}/test`, { body: message }, options)
  }

  /** Replaces the secret. The old ones sign too for 24 hours, unless `revoke` ends them at once. */
  rotateSecret(id: string, how: RotateSecretBody = {}, options?: WriteOptions): Promise<WatchWithSecret> {
    return this.#send('POST', `${pathOf(id)}/rotate-secret`, { body: how }, options)
  }

  /** Makes every pending delivery due at once. */
  retry(id: string, options?: WriteOptions): Promise<RetryWatchAnswer> {
    return this.#send('POST', `${pathOf(id)}/retry`, {}, options)
  }

  /**
   * Sends again what failed since a time, and what was missed while the watch was paused or
   * disabled.
   */
  recover(id: string, what: RecoverWatchBody, options?: WriteOptions): Promise<RecoverWatchAnswer> {
    return this.#send('POST', `${pathOf(id)}/recover`, { body: what }, options)
  }
}

function pathOf(id: string): string {
  return `/v1/watches/${encodeURIComponent(id)}`
}
