/**
 * Measures archive queries in process, with 1,000,000 incidents. A call does what a request does
 * besides HTTP: it reads the cursor, finds the incidents, joins their bytes into the response and
 * writes the next cursor (`listAnswer`). Rows marked "found only" omit the bytes and cursors
 * (`Archive.find`). No response is cached between calls. After 1,000 warm-up queries, 2,000 others
 * run in three passes; each call is timed separately, and p99 covers all 6,000. "Quiet" is the p99
 * of each query's best pass: if it is far below the p99, the machine or the garbage collector
 * caused the difference.
 *
 * Old documents are read from the files of a saved archive, as in a service, or from memory: 2,000
 * pages before random moments of the first nine years, of all incidents or of one state. In the
 * first of two passes, digests are worked out as well. The files come from the system's cache.
 * Processor time of this thread, which the system's work for reads is part of.
 *
 * Words: the newest 50 incidents with them, found and rendered, and a count of all in ten years, in
 * processor time, after a call that is not counted. Documents are in memory.
 *
 * The hot query (one state, newest 50, all states in turn) runs on a million and on a hundred
 * thousand incidents over the same ten years, both in this process, in alternating rounds; the
 * figure is the ratio of the rounds' medians.
 */

import { renderIncidentList } from '../../src/api/incidents/incidents.ts'
import type { Archive } from '../../src/archive/archive.ts'
import { writeCursor } from '../../src/archive/query/cursor.ts'
import { SETTINGS } from '../../src/config/settings.ts'
import type { Listing } from '../../src/filter/listing.ts'
import { seededRandom } from '../../src/lib/random.ts'
import { runToEnd } from '../../src/lib/steps.ts'
import { archiveOf, FROM, MILLION, savedArchiveOf, UNTIL } from '../harness/data.ts'
import { type LISTING_KINDS, listings } from '../harness/random-listings.ts'
import type { Row } from '../harness/row.ts'
import { median, percentile, spread, timed } from '../harness/statistics.ts'

const QUESTIONS_ASKED = 2000
const PASSES = 3
const WARM_UP = 1000
const MOST_MILLISECONDS = 2
const DEEP = 100_000
const HOT_ROUNDS = 40
const HOT_CALLS = 740
const MOST_GROWTH = 1.3
const DOCUMENT_MEMORY_BYTES = Number(SETTINGS.DOCUMENT_MEMORY_MB.fallback) * 1_000_000

type Ask = (archive: Archive, listing: Listing) => number

const answered: Ask = (archive, listing) => runToEnd(renderIncidentList(archive.view, listing, UNTIL)).body.length
const found: Ask = (archive, listing) => archive.findPage({ ...listing, after: null, now: UNTIL }).slots.length

export async function run(): Promise<Row[]> {
  const archive = await archiveOf(MILLION)
  const small = await archiveOf(MILLION / 10)
  const inFiles = await savedArchiveOf(MILLION, DOCUMENT_MEMORY_BYTES)
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
    ...oldDocuments(archive, inFiles),
    ...words([archive, small]),
  ]
}

interface OldPages {
  readonly first: number
  readonly again: number
  readonly slowest: number
}

/** Compares documents in files with those in memory. */
function oldDocuments(inMemory: Archive, inFiles: Archive): Row[] {
  const pages = { 'all incidents': () => ({}), 'one state': (number: number) => ({ states: [stateOf(number)] }) }
  const rows = Object.entries(pages).map(([name, filterOf]) => {
    const [memory, files] = [inMemory, inFiles].map((archive) => oldPages(archive, filterOf))
    return {
      name: `archive: a page of old incidents from files, ${name}`,
      value: `${files!.first.toFixed(0)} µs, again ${files!.again.toFixed(0)} µs (from memory ${memory!.first.toFixed(0)} and ${memory!.again.toFixed(0)} µs; p99 ${files!.slowest.toFixed(0)} µs elapsed)`,
      limit: '–',
      ok: true,
    }
  })
  return rows
}

/** Terms of `q`, by how many of the summaries have them. */
const TERMS = {
  'no summary has': ['zzzzqqq'],
  'few summaries have': ['"jibia"'],
  'every summary has': ['"synthetic"'],
  'begin with one letter': ['a'],
  'begin with two letters': ['ga'],
  'are side by side': ['"armed robbers"'],
  'are side by side and common': ['"in the"'],
}
const MOST_ABSENT_MICROSECONDS = 1000
const MOST_WORD_MEGABYTES = 60
const LEAST_MICROSECONDS = 100_000
const MOST_CALLS = 10_000

function words(archives: readonly Archive[]): Row[] {
  const [large] = archives
  const rows = Object.entries(TERMS).map(([name, terms]): Row => {
    const listing: Listing = { ...listings('everything', 1)[0]!, cursor: null }
    const asked = { ...listing, filter: { ...listing.filter, words: terms } }
    const count = (archive: Archive) => runToEnd(archive.view.count({ filter: asked.filter, now: UNTIL }))
    const [page, smallPage] = archives.map((archive) => meanMicroseconds(() => answered(archive, asked)))
    const [counted, smallCounted] = archives.map((archive) => meanMicroseconds(() => count(archive)))
    const all = count(large!)
    return {
      name: `archive: words that ${name}`,
      value: `newest 50: ${page!.toFixed(0)} µs; all ${all.toLocaleString('en')} counted: ${counted!.toFixed(0)} µs (of 100,000: ${smallPage!.toFixed(0)} and ${smallCounted!.toFixed(0)} µs)`,
      limit: all === 0 ? `< ${MOST_ABSENT_MICROSECONDS} µs` : '–',
      ok: all > 0 || Math.max(page!, counted!) < MOST_ABSENT_MICROSECONDS,
    }
  })
  const megabytes = large!.wordMemory / 1e6
  return [
    ...rows,
    {
      name: 'archive: memory of the index of words',
      value: `${megabytes.toFixed(1)} MB (${(large!.wordMemory / large!.size).toFixed(1)} bytes an incident)`,
      limit: `< ${MOST_WORD_MEGABYTES} MB`,
      ok: megabytes < MOST_WORD_MEGABYTES,
    },
  ]
}

/** The system counts processor time in steps of milliseconds: many calls are one measurement. */
function meanMicroseconds(run: () => void): number {
  run()
  let spent = 0
  let calls = 0
  for (; spent < LEAST_MICROSECONDS && calls < MOST_CALLS; calls++) spent += microsecondsOf(run)
  return spent / calls
}

function stateOf(number: number): string {
  return listings('newestOfState', HOT_CALLS)[number % HOT_CALLS]!.filter.states![0]!
}

function oldPages(archive: Archive, filterOf: (number: number) => Partial<Listing['filter']>): OldPages {
  const random = seededRandom(64)
  const [everything] = listings('everything', 1)
  const asked = Array.from({ length: QUESTIONS_ASKED }, (_, number): Listing => {
    const publishedTo = FROM + random() * (UNTIL - FROM) * 0.9
    return { ...everything!, cursor: null, filter: { ...everything!.filter, publishedTo, ...filterOf(number) } }
  })
  const times: number[] = []
  const pass = () => {
    for (const listing of asked) times.push(timed(() => answered(archive, listing)))
  }
  const first = microsecondsOf(pass) / asked.length
  const again = microsecondsOf(pass) / asked.length
  return { first, again, slowest: percentile(times, 0.99) * 1000 }
}

/** Processor time of this thread. */
function microsecondsOf(run: () => void): number {
  const before = process.threadCpuUsage()
  run()
  const { user, system } = process.threadCpuUsage(before)
  return user + system
}

/** One call with cold code and missing indexes, as the first user after a start experiences it. */
function firstLook(archive: Archive): Row {
  const [listing] = listings('fiveFiltersNone', 1)
  const time = timed(() => answered(archive, listing!))
  return { name: 'archive: the first question over ten years', value: `${time.toFixed(1)} ms`, limit: '–', ok: true }
}

function limited(name: string, archive: Archive, question: keyof typeof LISTING_KINDS, ask: Ask): Row {
  return row(name, timesOf(archive, question, ask), MOST_MILLISECONDS)
}

function informing(name: string, archive: Archive, question: keyof typeof LISTING_KINDS, ask: Ask): Row {
  return row(name, timesOf(archive, question, ask), null)
}

/** Returns the times of each pass over the same queries. */
function timesOf(archive: Archive, question: keyof typeof LISTING_KINDS, ask: Ask): number[][] {
  for (const listing of listings(question, WARM_UP)) ask(archive, listing)
  const asked = listings(question, QUESTIONS_ASKED)
  return Array.from({ length: PASSES }, () => asked.map((listing) => timed(() => ask(archive, listing))))
}

/** Reads pages by cursor, as a client does: 1,000 pages after 100,000 rows, from either end. */
function deepPages(archive: Archive): Row {
  const starts = (['newest', 'oldest'] as const).map((order) => {
    const listing: Listing = { ...listings('everything', 1)[0]!, order }
    const { slots } = archive.findPage({ ...listing, limit: DEEP, after: null, now: UNTIL })
    return {
      ...listing,
      cursor: writeCursor({ position: archive.positionOf(slots.at(-1)!), requestedAt: UNTIL, log: '' }, listing),
    }
  })
  const pass = () => starts.flatMap((start) => pagesFrom(archive, start, QUESTIONS_ASKED / starts.length))
  pass()
  return row('a page after 100,000 rows', Array.from({ length: PASSES }, pass), MOST_MILLISECONDS)
}

function pagesFrom(archive: Archive, start: Listing, count: number): number[] {
  let listing = start
  return Array.from({ length: count }, () =>
    timed(() => {
      listing = { ...listing, cursor: runToEnd(renderIncidentList(archive.view, listing, UNTIL)).nextCursor }
    }),
  )
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

function row(name: string, passes: readonly number[][], most: number | null): Row {
  const times = passes.flat()
  const best = passes[0]!.map((_, index) => Math.min(...passes.map((pass) => pass[index]!)))
  const p99 = percentile(times, 0.99)
  const details = [
    `p50 ${median(times).toFixed(3)}`,
    `quiet ${percentile(best, 0.99).toFixed(2)}`,
    `most ${Math.max(...times).toFixed(1)}`,
  ]
  return {
    name: `archive: ${name}`,
    value: `p99 ${p99.toFixed(2)} ms (${details.join(', ')})`,
    limit: most === null ? '–' : `p99 < ${most} ms`,
    ok: most === null || p99 < most,
  }
}

function microseconds(milliseconds: number): string {
  return `${(milliseconds * 1000).toFixed(1)} µs`
}
