import type {
  ChangeKeyBody,
  CreateKeyBody,
  IssuedKey,
  Key,
  KeyList,
  ListKeysQuery,
  PendingKey,
  RevokeKeyQuery,
} from '../generated/types.ts'
import type { Send } from '../http/transport.ts'
import type { CallOptions, WriteOptions } from '../options.ts'
import { entriesOf } from '../paging.ts'

/** The keys of the account: `feed.keys`. */
export class Keys {
  readonly #send: Send

  /** Use `feed.keys` instead. */
  constructor(send: Send) {
    this.#send = send
  }

  /**
   * Issues a key: without a key of your own for an e-mail address, with one for the same account.
   * If the service confirms addresses first, the answer has no `key` but the status `mailed`.
   */
  create(request: CreateKeyBody, options?: WriteOptions): Promise<IssuedKey | PendingKey> {
    return this.#send('POST', '/v1/keys', { body: request }, options)
  }

  /** Every key of the account, newest first, over all pages. */
  list(query: ListKeysQuery = {}, options?: CallOptions): AsyncGenerator<Key, void, undefined> {
    return entriesOf((cursor) => this.page({ ...query, cursor }, options), query.cursor)
  }

  /** One page of keys. */
  page(query: ListKeysQuery = {}, options?: CallOptions): Promise<KeyList> {
    return this.#send('GET', '/v1/keys', { query }, options)
  }

  /** Changes the name or the origins of a key. */
  update(id: string, changes: ChangeKeyBody, options?: CallOptions): Promise<Key> {
    return this.#send('PATCH', pathOf(id), { body: changes }, options)
  }

  /** Issues a new key with the same permissions; the old one works for another 24 hours. */
  rotate(id: string, options?: WriteOptions): Promise<IssuedKey> {
    return this.#send('POST', `${pathOf(id)}/rotate`, {}, options)
  }

  /** Revokes a key; the last one of the account only with `{ confirm: 'last' }`. */
  revoke(id: string, query: RevokeKeyQuery = {}, options?: CallOptions): Promise<Key> {
    return this.#send('DELETE', pathOf(id), { query }, options)
  }
}

function pathOf(id: string): string {
  return `/v1/keys/${encodeURIComponent(id)}`
}
