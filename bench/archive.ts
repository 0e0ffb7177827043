/**
 * Questions to the archive, in process, at 1,000,000 incidents. A call is what a request costs besides HTTP: the cursor
 * read, the incidents found, their bytes joined into the answer, the next cursor written (`listAnswer`); rows marked "found
 * only" leave out the bytes and cursors (`Archive.find`). No answer is kept between calls. Each of 4,000 different
 * questions is timed by itself, after 1,000 others to warm up; p99 is over those 4,000.
 *
 * The hot question (one state, newest 50, all states in turn) is asked of a million and of a hundred thousand incidents
 * over the same ten years, both in this process, in alternating rounds; the figure is the ratio of the rounds' medians.
 */
import type { Archive } from '../src/archive/archive.ts'
import { writeCursor } from '../src/archive/cursor.ts'
import type { Listing } from '../src/domain/listing.ts'
import { listAnswer } from '../src/http/list-answer.ts'
import { archiveOf, MILLION, UNTIL } from './data.ts'
import { listings, type QUESTIONS } from './questions.ts'
import type { Row } from './row.ts'
import { median, percentile, spread } from './statistics.ts'

const CALLS = 4000
const WARM_UP = 1000
const MOST_MILLISECONDS = 2
const DEEP = 100_000
const HOT_ROUNDS = 40
const HOT_CALLS = 740
const MOST_GROWTH = 1.3

type Ask = (archive: Archive, listing: Listing) => number

const answered: Ask = (archive, listing) => listAnswer(archive, listing, UNTIL).body.length
const found: Ask = (archive, listing) => archive.find({ ...listing, after: null, now: UNTIL }).slots.length

export async function run(): Promise<Row[]> {
  const archive = await archiveOf(MILLION)
  const small = await archiveOf(MILLION / 10)
  return [
    firstLook(archive),
    limited('five filters at once', archive, 'fiveFilters', answered),
    limited('five filters, found only', archive, 'fiveFilters', found),
    limited('five filters, few match in ten years', archive, 'fiveFiltersFew', answered),
    limited('five filters, none matches in ten years', archive, 'fiveFiltersNone', answered),
    informing('lists of 5 states and 4 types, none matches', archive, 'fiveListsNone', answered),
    limited('a box of 0.05° to 0.2°, ten years', archive, 'smallBox', answered),
    deepPages(archive),
    growth('newest 50 of a state, 1,000,000 against 100,000', archive, small, answered),
    growth('the same, found only', archive, small, found),
  ]
}

/** The indexes of a segment are made when it is first asked: somebody waits for that once after a start. */
function firstLook(archive: Archive): Row {
  const [listing] = listings('fiveFiltersNone', 1)
  const time = timed(() => answered(archive, listing!))
  return { name: 'archive: the first question over ten years', value: `${time.toFixed(1)} ms`, limit: '–', ok: true }
}

function limited(name: string, archive: Archive, question: keyof typeof QUESTIONS, ask: Ask): Row {
  const times = timesOf(archive, question, ask)
  return row(name, times, `p99 < ${MOST_MILLISECONDS} ms`, percentile(times, 0.99) < MOST_MILLISECONDS)
}

function informing(name: string, archive: Archive, question: keyof typeof QUESTIONS, ask: Ask): Row {
  return row(name, timesOf(archive, question, ask), '–', true)
}

function timesOf(archive: Archive, question: keyof typeof QUESTIONS, ask: Ask): number[] {
  for (const listing of listings(question, WARM_UP)) ask(archive, listing)
  return listings(question, CALLS).map((listing) => timed(() => ask(archive, listing)))
}

/** Pages by their cursors, as a client does: those after 100,000 rows, from both ends. */
function deepPages(archive: Archive): Row {
  const times = (['newest', 'oldest'] as const).flatMap((order) => {
    const listing: Listing = { ...listings('everything', 1)[0]!, order }
    const { slots } = archive.find({ ...listing, limit: DEEP, after: null, now: UNTIL })
    const deep = archive.position(slots.at(-1)!)
    let cursor = writeCursor({ position: deep, asked: UNTIL }, listing)
    return Array.from({ length: (WARM_UP + CALLS) / 2 }, () =>
      timed(() => {
        cursor = listAnswer(archive, { ...listing, cursor }, UNTIL).nextCursor!
      }),
    ).slice(WARM_UP / 2)
  })
  const ok = percentile(times, 0.99) < MOST_MILLISECONDS
  return row('a page after 100,000 rows', times, `p99 < ${MOST_MILLISECONDS} ms`, ok)
}

function growth(name: string, large: Archive, small: Archive, ask: Ask): Row {
  const questions = listings('newestOfState', HOT_CALLS)
  const round = (archive: Archive) => median(questions.map((listing) => timed(() => ask(archive, listing))))
  for (let warmUp = 0; warmUp < 3; warmUp++) [round(large), round(small)]
  const pairs = Array.from({ length: HOT_ROUNDS }, (_, number) => {
    if (number % 2 === 0) return { large: round(large), small: round(small) }
    const second = round(small)
    return { large: round(large), small: second }
  })
  const [cost, base] = [median(pairs.map((pair) => pair.large)), median(pairs.map((pair) => pair.small))]
  const rounds = spread(
    pairs.map((pair) => pair.large / pair.small),
    2,
  )
  return {
    name: `archive: ${name}`,
    value: `${(cost / base).toFixed(2)} (${microseconds(cost)} of ${microseconds(base)}; rounds ${rounds})`,
    limit: `≤ ${MOST_GROWTH}`,
    ok: cost / base <= MOST_GROWTH,
  }
}

function row(name: string, times: readonly number[], limit: string, ok: boolean): Row {
  const [p50, p99, most] = [median(times), percentile(times, 0.99), Math.max(...times)]
  const value = `p99 ${p99.toFixed(2)} ms (p50 ${p50.toFixed(3)}, most ${most.toFixed(1)})`
  return { name: `archive: ${name}`, value, limit, ok }
}

function timed(work: () => unknown): number {
  const started = process.hrtime.bigint()
  work()
  return Number(process.hrtime.bigint() - started) / 1e6
}

function microseconds(milliseconds: number): string {
  return `${(milliseconds * 1000).toFixed(1)} µs`
}
