import type { Archive, ArchiveView } from '../../archive/archive.ts'
import type { Asker, SlicedQueries } from '../../archive/sliced-queries.ts'
import { BoundedCache } from '../../lib/bounded-cache.ts'
import { SharedRuns } from '../../lib/concurrency.ts'
import type { Steps } from '../../lib/steps.ts'
import { isCurrent } from '../../lib/time.ts'
import type { AreasShowing } from './area.ts'

/** All pages in one language and some in others. */
const MAX_BYTES = 96 << 20
/** Estimated memory of an entry besides its key and its document. */
const ENTRY_BYTES = 400

/** A page or a feed. */
export interface AreaDocument {
  /** Estimated memory in bytes. */
  readonly size: number
  /** Without new events it is the same until then. */
  readonly validUntil: number
}

/**
 * Keeps what was written about each area until an event changes an incident that it shows. An event
 * in Kaduna leaves the pages of Lagos alone.
 */
export class AreaCache<Document extends AreaDocument> {
  readonly #queries: SlicedQueries
  readonly #areasShowing: AreasShowing
  /** The forms that each area has: languages, or one. Keys can be nothing else, whoever asks. */
  readonly #forms: readonly string[]
  readonly #documents: BoundedCache<string, { readonly document: Document; readonly madeAt: number }>
  readonly #writing = new SharedRuns<Document>()
  #archive: Archive | null = null
  #seq = -1

  constructor(queries: SlicedQueries, areasShowing: AreasShowing, forms: readonly string[], maxBytes = MAX_BYTES) {
    this.#queries = queries
    this.#areasShowing = areasShowing
    this.#forms = forms
    this.#documents = new BoundedCache(maxBytes, ({ document }, key) => ENTRY_BYTES + 2 * key.length + document.size)
  }

  /** Memory in bytes, keys included. */
  get size(): number {
    return this.#documents.size
  }

  /** `write` may be called again after a wait, on a later view. */
  getDocument(
    archive: Archive,
    code: string,
    form: string,
    now: number,
    asker: Asker,
    write: (view: ArchiveView) => Steps<Document>,
  ): Document | Promise<Document> {
    this.#applyChanges(archive)
    const key = keyOf(code, form)
    const known = this.#documents.get(key)
    if (known !== undefined && isCurrent({ ...known.document, madeAt: known.madeAt }, now)) return known.document
    const withSeq = function* (view: ArchiveView) {
      return { seq: view.head.seq, document: yield* write(view) }
    }
    const keep = ({ seq, document }: { readonly seq: number; readonly document: Document }): Document => {
      // One that is older than the cache is not kept: an event since then may have changed it.
      if (seq === this.#seq && archive === this.#archive) this.#documents.set(key, { document, madeAt: now })
      return document
    }
    return this.#writing.join(
      `${this.#seq} ${key}`,
      () => asker.signal(),
      (signal) => {
        const written = this.#queries.run(archive, { subject: asker.subject, signal }, withSeq)
        return written instanceof Promise ? written.then(keep) : keep(written)
      },
    )
  }

  #applyChanges(archive: Archive): void {
    const changes = archive === this.#archive ? archive.changesSince(this.#seq) : null
    if (changes === null) this.#documents.clear()
    for (const { before, after } of changes ?? [])
      for (const incident of [before, after])
        if (incident !== null)
          for (const code of this.#areasShowing(incident))
            for (const form of this.#forms) this.#documents.delete(keyOf(code, form))
    this.#archive = archive
    this.#seq = archive.head.seq
  }
}

function keyOf(code: string, form: string): string {
  return `${code} ${form}`
}
