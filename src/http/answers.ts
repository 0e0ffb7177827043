import type { Archive } from '../archive/archive.ts'
import { canonicalQuery } from '../domain/filter/canonical.ts'
import { type Listing, parseListing } from '../domain/listing.ts'
import type { Places } from '../domain/places.ts'
import { VERSION } from '../version.ts'
import { etagOf } from './etag.ts'
import { type ListAnswer, listAnswer } from './list-answer.ts'
import { Prepared } from './prepared.ts'

const MOST_BYTES = 64 << 20
const MOST_QUESTIONS = 20_000

/** A page, ready to be sent. */
export class Answer extends Prepared {
  readonly nextCursor: string | null
  readonly validUntil: number

  constructor({ body, nextCursor, validUntil, identity }: ListAnswer, question: string) {
    // Much shorter than the body, which hashing would read once more from end to end.
    super(body, etagOf(`${VERSION} ${question} ${identity}`))
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

  /** `query` is the query string without its question mark. Throws a `Problem` where it is wrong. */
  find(archive: Archive, query: string, now: number): Answer {
    if (archive !== this.#archive || archive.head.seq !== this.#seq || this.#bytes > MOST_BYTES) this.#clear(archive)
    const spelled = this.#bySpelling.get(query)
    if (spelled !== undefined && now < spelled.validUntil) return spelled
    const answer = this.#answer(archive, parseListing(new URLSearchParams(query), this.#places), now)
    if (this.#bySpelling.size >= MOST_QUESTIONS) this.#bySpelling.clear()
    this.#bySpelling.set(query, answer)
    return answer
  }

  #answer(archive: Archive, listing: Listing, now: number): Answer {
    const question = `${canonicalQuery(listing.filter)} ${listing.order} ${listing.limit} ${listing.cursor}`
    const known = this.#byQuestion.get(question)
    if (known !== undefined && now < known.validUntil) return known
    const answer = new Answer(listAnswer(archive, listing, now), question)
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
