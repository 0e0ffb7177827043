import type { ClaimHolder, ReceiptStore, Store, WritableStore } from '../../../store/store.ts'
import { type Answer, encodeAnswer } from './answer.ts'

/** What a handler needs in order to store its answer together with what it writes. */
export interface RequestWrites {
  /**
   * For the write that the request is about: commits it with the answer, or not at all if another
   * request took over. Reads, and writes that may happen twice, use the plain store. `mentions`:
   * see `encodeAnswer`.
   */
  readonly storeWith: (answer: Answer, mentions?: string) => WritableStore
  /** For each transaction of a long request: adds the number that the write returns to a count. */
  readonly storeCounting: (name: string) => WritableStore
  /** What was counted before this process took the request over from one that died. */
  readonly counted: Readonly<Record<string, number>>
}

/** The writes of a request without an idempotency key. */
export function plainWrites(store: () => Store): RequestWrites {
  return { storeWith: store, storeCounting: store, counted: {} }
}

/** Holds the claim of one request on its idempotency key. */
export class RequestClaim implements RequestWrites {
  readonly holder: ClaimHolder
  readonly counted: Readonly<Record<string, number>>
  readonly #store: Store
  readonly #secret: string
  readonly #clock: () => number
  #stores: { readonly store: ReceiptStore; readonly bytes: number }[] = []

  constructor(
    holder: ClaimHolder,
    counted: Readonly<Record<string, number>>,
    store: Store,
    secret: string,
    clock: () => number,
  ) {
    this.holder = holder
    this.counted = counted
    this.#store = store
    this.#secret = secret
    this.#clock = clock
  }

  /** Bytes of the answer that was stored with a write; null if none was. */
  get storedBytes(): number | null {
    return this.#stores.find(({ store }) => store.receiptStored)?.bytes ?? null
  }

  readonly storeWith = (answer: Answer, mentions?: string): WritableStore => {
    const encoded = encodeAnswer(answer, this.#secret, mentions)
    const store = this.#store.withReceipt({ ...this.holder, ...encoded })
    this.#stores.push({ store, bytes: encoded.answer.byteLength })
    return store
  }

  readonly storeCounting = (name: string): WritableStore => {
    return this.#store.withReceipt({ ...this.holder, count: name, now: this.#clock() })
  }
}
