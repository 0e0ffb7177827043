import type { Archive } from '../../../archive/archive.ts'
import { Problem } from '../../../domain/errors.ts'
import type { Places } from '../../../domain/places.ts'
import { LAYOUTS, type Layout } from '../../../formats/layouts.ts'
import { BoundedCache } from '../../../lib/bounded-cache.ts'
import { canonicalQuery } from '../../../query/filter/canonical.ts'
import { FORMATS, type FormatName } from '../../../query/format.ts'
import { type Listing, parseListing } from '../../../query/listing.ts'
import { VERSION } from '../../../version.ts'
import { CachedBody, etagOf } from '../../responses/cached-body.ts'
import { type RenderedList, renderIncidentList } from '../../responses/incident-list.ts'

const MAX_BYTES = 64 << 20
const MAX_SPELLINGS = 20_000

/** A page, ready to be sent. */
export class Answer extends CachedBody {
  readonly contentType: string
  readonly nextCursor: string | null
  readonly validUntil: number

  constructor({ body, nextCursor, validUntil, identity }: RenderedList, question: string, contentType: string) {
    // Much shorter than the body, which hashing would read once more from end to end.
    super(body, etagOf(`${VERSION} ${question} ${identity}`))
    this.contentType = contentType
    this.nextCursor = nextCursor
    this.validUntil = validUntil
  }
}

/** What is asked, and how it is written. */
export interface Questions {
  /** Throws a `Problem` where the query is wrong. */
  read(query: URLSearchParams): Listing
  /** `accepted` is the format that the request's headers ask for; null where they ask for none that there is. */
  layoutFor(listing: Listing, archive: Archive, accepted: FormatName | null): Layout
}

/** The questions that `GET /v1/incidents` takes. */
export function incidentListSource(places: Places): Questions {
  return {
    read: (query) => parseListing(query, places),
    layoutFor: ({ format }, _archive, accepted) => LAYOUTS[format ?? accepted ?? refuse()],
  }
}

/** Answers to lists, kept until the next event: between two events, a popular question is answered once. */
export class ListCache {
  readonly #questions: Questions
  /**
   * Not a `BoundedCache` of bytes: both maps hold the same answers, so they are emptied together. An
   * answer evicted from one of them would stay in memory with the other.
   */
  readonly #byQuestion = new Map<string, Answer>()
  /** The same question, as clients spell it: so that one asked again need not be parsed. */
  readonly #bySpelling = new BoundedCache<string, Answer>(MAX_SPELLINGS)
  #archive: Archive | null = null
  #seq = -1
  #bytes = 0

  constructor(questions: Questions) {
    this.#questions = questions
  }

  /** `query` is the query string without its question mark. Throws a `Problem` where it is wrong. */
  find(archive: Archive, query: string, accepted: FormatName | null, now: number): Answer {
    if (archive !== this.#archive || archive.head.seq !== this.#seq || this.#bytes > MAX_BYTES) this.#clear(archive)
    const spelling = accepted === 'json' ? query : `${accepted} ${query}`
    const spelled = this.#bySpelling.get(spelling)
    if (spelled !== undefined && now < spelled.validUntil) return spelled
    const listing = this.#questions.read(new URLSearchParams(query))
    const answer = this.#answer(archive, listing, this.#questions.layoutFor(listing, archive, accepted), now)
    this.#bySpelling.set(spelling, answer)
    return answer
  }

  #answer(archive: Archive, listing: Listing, layout: Layout, now: number): Answer {
    const question = `${canonicalQuery(listing.filter)} ${listing.order} ${listing.limit} ${listing.cursor} ${layout.name}`
    const known = this.#byQuestion.get(question)
    if (known !== undefined && now < known.validUntil) return known
    const answer = new Answer(renderIncidentList(archive, listing, now, layout), question, layout.contentType)
    this.#byQuestion.set(question, answer)
    this.#bytes += answer.body.length
    return answer
  }

  #clear(archive: Archive): void {
    this.#byQuestion.clear()
    this.#bySpelling.clear()
    this.#archive = archive
    this.#seq = archive.head.seq
    this.#bytes = 0
  }
}

function refuse(): never {
  const allowed = Object.values(FORMATS)
  throw new Problem('not_acceptable', `Accept must allow one of ${allowed.join(', ')}; or leave it out.`, {
    errors: [{ message: 'the Accept header allows none of the formats there are', allowed }],
  })
}
