/**
 * The lists of a million incidents over HTTP against the same lists from the peer: Fastify and SQL written by hand, on PostgreSQL
 * with an index for each question (`servers/peer.ts`, `peer/`); as most would write it, rows going through objects: that is the peer of
 * the limit. And as quick as it can be made, pages joined from documents kept as text: that informs. First it is held that all give the same incidents, byte for byte.
 * Then rounds of two seconds alternate (autocannon, 16 connections, 50 rows a page of some 64 kB) after one unmeasured round
 * each; a figure is the ratio of the medians of their rates. "CPU" is the processor time for one answer, the database's
 * included: where others use the machine, or the load generator is the brake, that is the comparison to look at.
 *
 * Ours asks for a key, counts it and limits its rate, and answers from one thread; the peer does none of that, keeps nothing, and has
 * PostgreSQL's processes beside its own. All share the machine's cores with the load.
 *
 * Questions come in turn from a list, so ours answers most from those it has kept: "never asked twice" is without that, and
 * arrivals, one a second, drop all that is kept. With gzip, ours sends what it has kept compressed and the peer compresses each
 * page, at the quickest level.
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

const LEAST_TIMES = 10
const ROUNDS = 3
const LIST = '/v1/incidents'
const DEEP = 100_000
const MOST_LIMIT = 1000
const PAGES = 100
const HELD_EQUAL = 40
/** Half a side, in degrees. */
const HALF_BOX = 0.1

const STATE_MONTH = places.states.map(({ code }) => `${LIST}?state=${code}&since=30d&limit=50`)
const FOUR_FILTERS = places.states.flatMap(({ code }) =>
  ['kidnapping', 'armed_robbery', 'communal_clash'].map(
    (type) => `${LIST}?state=${code}&type=${type}&min_severity=${SEVERITIES[2]}&min_confidence=0.8&limit=50`,
  ),
)
const BOXES = places.lgas
  .filter((_, at) => at % 6 === 0)
  .map(({ lat, lng }) => [lng - HALF_BOX, lat - HALF_BOX, lng + HALF_BOX, lat + HALF_BOX])
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
  await holdEqual(service, ids, text, ids)
  for (const peer of [text, objects]) {
    for (const { ours, theirs } of lists) await holdEqual(service, ours, peer, theirs)
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
  const told = ({ rate, p99, cpu }: Round) => `${whole(rate)}/s, p99 ${p99.toFixed(0)} ms, CPU ${whole(cpu)} µs`
  return {
    name: `peer: ${name}`,
    value: `${ratio.toFixed(1)} times, by CPU ${(theirs.cpu / ours.cpu).toFixed(1)} (${told(ours)}; rounds ${spread(rounds, 1)})`,
    limit: least === null ? '–' : `≥ ${least} times`,
    peer: told(theirs),
    ok: least === null || ratio >= least,
  }
}

/** The same incidents, though no kept answer fits. */
function neverTwice(): () => string {
  let asked = 0
  return () => `${STATE_MONTH[asked % STATE_MONTH.length]}&min_confidence=${(asked++ / 1e8).toFixed(8)}`
}

/** Pages by their cursors, as a client reads them: 100 of those after 100,000 rows. */
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

/** A comparison of unequal answers would be worth nothing. */
async function holdEqual(service: Server, ours: readonly string[], peer: Server, theirs: readonly string[]) {
  for (const [at, path] of ours.slice(0, HELD_EQUAL).entries()) {
    const [one, other] = [await fetchBytes(service, path), await fetchBytes(peer, theirs[at]!)]
    if (incidentsIn(one) !== incidentsIn(other)) throw new Error(`the peer answers other incidents to ${path}`)
  }
}

/** A list's incidents as they were written, without what is said about the list; one alone is all there is. */
function incidentsIn(body: Buffer): string {
  const text = body.toString()
  return text.split(/,"has_more":/, 1)[0]!
}
