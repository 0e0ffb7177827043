import { CachedBody } from '../../api/responses/cached-body.ts'
import type { Archive } from '../../archive/archive.ts'
import type { ArchiveView } from '../../archive/archive-view.ts'
import type { Asker, SlicedQueries } from '../../archive/sliced-queries.ts'
import { BoundedCache } from '../../lib/bounded-cache.ts'
import { SharedRuns } from '../../lib/concurrency.ts'
import type { Steps } from '../../lib/steps.ts'

const MAX_BYTES = 16 << 20
/** Estimated memory of an entry besides its key and its bytes. */
const ENTRY_BYTES = 300
/** Pages say how old incidents are, to the minute. */
const MAX_AGE_MS = 60_000

export interface RenderedPage {
  readonly status: number
  readonly body: Buffer
  /** The position of the times that are stamped when the page is sent; null if it has none. */
  readonly stampAt: number | null
  /** Without new events the page is the same until then. */
  readonly validUntil: number
}

export interface CachedPage {
  readonly status: number
  readonly body: CachedBody
  readonly validUntil: number
}

/** Keeps pages by address until the next event, for a minute at most. */
export class PageCache {
  readonly #queries: SlicedQueries
  readonly #pages: BoundedCache<string, CachedPage>
  readonly #rendering = new SharedRuns<CachedPage>()
  #archive: Archive | null = null
  #seq = -1

  constructor(queries: SlicedQueries, maxBytes = MAX_BYTES) {
    this.#queries = queries
    this.#pages = new BoundedCache(maxBytes, ({ body }, key) => ENTRY_BYTES + 2 * key.length + body.size)
  }

  /** Memory in bytes, keys included. */
  get size(): number {
    return this.#pages.size
  }

  /** `render` may be called again after a wait, on a later view. */
  getPage(
    archive: Archive,
    key: string,
    now: number,
    asker: Asker,
    render: (view: ArchiveView) => Steps<RenderedPage>,
  ): CachedPage | Promise<CachedPage> {
    if (archive !== this.#archive || archive.head.seq !== this.#seq) this.#clear(archive)
    const known = this.#pages.get(key)
    if (known !== undefined && now < known.validUntil) return known
    const withSeq = function* (view: ArchiveView) {
      return { seq: view.head.seq, rendered: yield* render(view) }
    }
    const toCached = ({ seq, rendered }: { seq: number; rendered: RenderedPage }): CachedPage => {
      const { status, body, stampAt } = rendered
      const validUntil = Math.min(rendered.validUntil, now + MAX_AGE_MS)
      const page = { status, body: new CachedBody(body, '', stampAt), validUntil }
      if (seq === this.#seq && archive === this.#archive) this.#pages.set(key, page)
      return page
    }
    return this.#rendering.join(
      `${this.#seq} ${key}`,
      () => asker.signal(),
      (signal) => {
        const found = this.#queries.run(archive, { subject: asker.subject, signal }, withSeq)
        return found instanceof Promise ? found.then(toCached) : toCached(found)
      },
    )
  }

  #clear(archive: Archive): void {
    this.#pages.clear()
    this.#archive = archive
    this.#seq = archive.head.seq
  }
}
