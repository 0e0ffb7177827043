/**
 * Compares lists of a million incidents over HTTP with the same lists from a peer: Fastify and
 * handwritten SQL on PostgreSQL, with an index for each query (`servers/peer.ts`, `peer/`). The
 * limit applies to the usual implementation, in which rows go through objects. The fastest
 * implementation, which joins pages from documents stored as text, is informational. First checks
 * that all return the same incidents, byte for byte. After one unmeasured round each, rounds of two
 * seconds alternate (autocannon, 16 connections, 50 rows per page of about 64 kB); a figure is the
 * median of the rounds' ratios of processor time ("CPU") per response, with that of the database.
 * Rates depend on the load generator, which fills the other core.
 *
 * Our service authenticates a key, counts it and limits its rate, and responds from one thread. The
 * peer does none of that, caches nothing and has PostgreSQL's processes besides its own. All share
 * the cores with the load.
 *
 * Queries come from a list in turn, so our service responds mostly from its cache. "Never asked
 * twice" measures without the cache; arrivals, one per second, clear it. With gzip our service
 * sends the cached compressed body, and the peer compresses each page at the fastest level.
 */
import { copyFileSync } from 'node:fs'
import { SEVERITIES } from '../../src/domain/taxonomy.ts'
import { places } from '../../src/geo/places.ts'
import { startChild } from '../harness/child.ts'
import { dataFile, MILLION, removeDatabase } from '../harness/data.ts'
import { fetchBytes, fetchPage } from '../harness/fetch.ts'
import { type Comparison, type Contestant, compare, type Round, type Server } from '../harness/load.ts'
import type { Row } from '../harness/row.ts'
import { spread, whole } from '../harness/statistics.ts'
import { openPeerDatabase } from '../peer/database.ts'

const LEAST_TIMES = 14
const ROUNDS = 5
const LIST = '/v1/incidents'
const DEEP = 100_000
const MOST_LIMIT = 1000
const PAGES = 100
const COMPARED_PAGES = 40
const HALF_BOX_DEGREES = 0.1

const STATE_MONTH = places.states.map(({ code }) => `${LIST}?state=${code}&since=30d&limit=50`)
const FOUR_FILTERS = places.states.flatMap(({ code }) =>
  ['kidnapping', 'armed_robbery', 'communal_clash'].map(
    (type) => `${LIST}?state=${code}&type=${type}&min_severity=${SEVERITIES[2]}&min_confidence=0.8&limit=50`,
  ),
)
const BOXES = places.lgas
  .filter((_, at) => at % 6 === 0)
  .map(({ lat, lng }) => [
    lng - HALF_BOX_DEGREES,
    lat - HALF_BOX_DEGREES,
    lng + HALF_BOX_DEGREES,
    lat + HALF_BOX_DEGREES,
  ])
  .map((sides) => `${LIST}?bbox=${sides.map((side) => side.toFixed(4)).join(',')}&limit=50`)

export async function run(): Promise<Row[]> {
  const { path } = await dataFile(MILLION)
  await using database = await openPeerDatabase(MILLION)
  const copy = `${path}.peer-${process.pid}`
  try {
    copyFileSync(path, copy)
    return await measure(copy, database.url)
  } finally {
    removeDatabase(copy)
  }
}

async function measure(path: string, databaseUrl: string): Promise<Row[]> {
  await using child = await startChild<{ url: string; key: string }>('servers/service.ts', [path])
  await using textChild = await startChild<{ url: string }>('servers/peer.ts', [databaseUrl, 'text'])
  await using objectsChild = await startChild<{ url: string }>('servers/peer.ts', [databaseUrl, 'objects'])
  const service: Server = { child, headers: { authorization: `Bearer ${child.hello.key}` } }
  const text: Server = { child: textChild, headers: {} }
  const objects: Server = { child: objectsChild, headers: {} }

  const [pages, peerPages] = [await deepPages(service), await deepPages(text)]
  const lists = [
    { name: 'one state, 30 days', ours: STATE_MONTH, theirs: STATE_MONTH },
    { name: 'four filters, ten years', ours: FOUR_FILTERS, theirs: FOUR_FILTERS },
    { name: 'a box of 0.2°, ten years', ours: BOXES, theirs: BOXES },
    { name: 'a page after 100,000 rows', ours: pages, theirs: peerPages },
  ]
  const ids = await someIds(service)
  await assertEqual(service, ids, text, ids)
  for (const peer of [text, objects]) {
    for (const { ours, theirs } of lists) await assertEqual(service, ours, peer, theirs)
  }

  const rows: Row[] = []
  const add = async (name: string, least: number | null, ours: Contestant, theirs: Contestant) =>
    rows.push(rowOf(name, least, await compare(ours, theirs, ROUNDS)))
  for (const { name, ours, theirs } of lists) {
    const asked = { server: service, paths: ours }
    await add(`${name}, pages through objects`, LEAST_TIMES, asked, { server: objects, paths: theirs })
    await add(`${name}, pages joined from text`, null, asked, { server: text, paths: theirs })
  }
  const asked = { server: service, paths: STATE_MONTH }
  const answered = { server: text, paths: STATE_MONTH }
  const packed = (contestant: Contestant) => ({ ...contestant, server: taking(contestant.server, 'gzip') })
  await add('one by id', null, { ...asked, paths: ids }, { ...answered, paths: ids })
  await add('one state, 30 days, text, with gzip', null, packed(asked), packed(answered))
  await add('one state, 30 days, text, ours never asked twice', null, { ...asked, paths: neverTwice() }, answered)
  await child.ask('arrivals', true)
  await add('one state, 30 days, text, ours with arrivals', null, asked, answered)
  return rows
}

function taking(server: Server, encoding: string): Server {
  return { ...server, headers: { ...server.headers, 'accept-encoding': encoding } }
}

function rowOf(name: string, least: number | null, { ratio, ours, theirs, rounds }: Comparison): Row {
  const told = ({ rate, p99, cpu }: Round) => `CPU ${whole(cpu)} µs, p99 ${p99.toFixed(0)} ms, ${whole(rate)}/s`
  const times = rounds.map((one) => 1 / one)
  return {
    name: `peer: ${name}`,
    value: `${(1 / ratio).toFixed(1)} times less (${told(ours)}; ${rounds.length} rounds ${spread(times, 1)})`,
    limit: least === null ? '–' : `≥ ${least} times`,
    peer: told(theirs),
    ok: least === null || 1 / ratio >= least,
  }
}

/** Returns queries that are never cached, with the same incidents. */
function neverTwice(): () => string {
  let asked = 0
  return () => `${STATE_MONTH[asked % STATE_MONTH.length]}&min_confidence=${(asked++ / 1e8).toFixed(8)}`
}

/** Returns pages by cursor, as a client reads them: 100 pages after 100,000 rows. */
async function deepPages(server: Server): Promise<string[]> {
  const paths: string[] = []
  let cursor: string | null = null
  for (let rows = 0; rows < DEEP; rows += MOST_LIMIT) cursor = await nextCursor(server, MOST_LIMIT, cursor)
  while (paths.length < PAGES) {
    paths.push(`${LIST}?limit=50&cursor=${cursor}`)
    cursor = await nextCursor(server, 50, cursor)
  }
  return paths
}

async function nextCursor(server: Server, limit: number, cursor: string | null): Promise<string> {
  const { next_cursor } = await fetchPage(server, `${LIST}?limit=${limit}${cursor === null ? '' : `&cursor=${cursor}`}`)
  return next_cursor!
}

async function someIds(server: Server): Promise<string[]> {
  const { data } = await fetchPage(server, `${LIST}?limit=${MOST_LIMIT}`)
  return data.map(({ id }) => `${LIST}/${id}`)
}

/** Throws if the peer returns other incidents, which would make the comparison meaningless. */
async function assertEqual(service: Server, ours: readonly string[], peer: Server, theirs: readonly string[]) {
  for (const [at, path] of ours.slice(0, COMPARED_PAGES).entries()) {
    const [one, other] = [await fetchBytes(service, path), await fetchBytes(peer, theirs[at]!)]
    if (incidentsIn(one) !== incidentsIn(other)) throw new Error(`the peer returns other incidents for ${path}`)
  }
}

/**
 * Returns the serialised incidents of a list without its metadata; a single incident is returned
 * whole.
 */
function incidentsIn(body: Buffer): string {
  const text = body.toString()
  return text.split(/,"has_more":/, 1)[0]!
}
