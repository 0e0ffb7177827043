import type { Archive } from '../archive/archive.ts'
import { Problem } from '../domain/errors.ts'
import { canonicalQuery } from '../domain/filter/canonical.ts'
import { FORMATS, type FormatName } from '../domain/format.ts'
import { type Listing, parseListing } from '../domain/listing.ts'
import type { Places } from '../domain/places.ts'
import { LAYOUTS } from '../formats/layouts.ts'
import { VERSION } from '../version.ts'
import { formatFor } from './accept.ts'
import { etagOf } from './etag.ts'
import { type ListAnswer, listAnswer } from './list-answer.ts'
import { Prepared } from './prepared.ts'

const MOST_BYTES = 64 << 20
const MOST_QUESTIONS = 20_000

/** A page, ready to be sent. */
export class Answer extends Prepared {
  readonly contentType: string
  readonly nextCursor: string | null
  readonly validUntil: number

  constructor({ body, nextCursor, validUntil, identity }: ListAnswer, question: string, contentType: string) {
    // Much shorter than the body, which hashing would read once more from end to end.
    super(body, etagOf(`${VERSION} ${question} ${identity}`))
    this.contentType = contentType
    this.nextCursor = nextCursor
    this.validUntil = validUntil
  }
}

/** Answers to lists, kept until the next event: between two events, a popular question is answered once. */
export class Answers {
  readonly #places: Places
  readonly #byQuestion = new Map<string, Answer>()
  /** The same question, as clients spell it: so that one asked again need not be parsed. */
  readonly #bySpelling = new Map<string, Answer>()
  #archive: Archive | null = null
  #seq = -1
  #bytes = 0

  constructor(places: Places) {
    this.#places = places
  }

  /** `query` is the query string without its question mark, `accept` the header. Throws a `Problem` where one is wrong. */
  find(archive: Archive, query: string, accept: string | undefined, now: number): Answer {
    if (archive !== this.#archive || archive.head.seq !== this.#seq || this.#bytes > MOST_BYTES) this.#clear(archive)
    const accepted = formatFor(accept)
    const spelling = accepted === 'json' ? query : `${accepted} ${query}`
    const spelled = this.#bySpelling.get(spelling)
    if (spelled !== undefined && now < spelled.validUntil) return spelled
    const listing = parseListing(new URLSearchParams(query), this.#places)
    const answer = this.#answer(archive, listing, listing.format ?? accepted ?? refuse(), now)
    if (this.#bySpelling.size >= MOST_QUESTIONS) this.#bySpelling.clear()
    this.#bySpelling.set(spelling, answer)
    return answer
  }

  #answer(archive: Archive, listing: Listing, format: FormatName, now: number): Answer {
    const question = `${canonicalQuery(listing.filter)} ${listing.order} ${listing.limit} ${listing.cursor} ${format}`
    const known = this.#byQuestion.get(question)
    if (known !== undefined && now < known.validUntil) return known
    const layout = LAYOUTS[format]
    const answer = new Answer(listAnswer(archive, listing, now, layout), question, layout.contentType)
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
