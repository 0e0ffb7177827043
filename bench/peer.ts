/**
 * The lists of a million incidents over HTTP against the same lists from the peer: Fastify and SQL written by hand, on PostgreSQL
 * with an index for each question (`servers/peer.ts`, `peer/`). First it is held that both give the same incidents, byte for byte.
 * Then rounds of two seconds alternate (autocannon, 16 connections, 50 rows a page, no compression) after one unmeasured round
 * each; a figure is the ratio of the medians of their rates. Ours asks for a key, counts it and limits its rate, and is one
 * process; the peer does none of that and has PostgreSQL's processes beside its own. All share the machine's cores with the load.
 *
 * Questions come in turn from a list, so ours answers most from those it has kept; "no question asked twice" is without that, and
 * "arriving" drops all that is kept once a second.
 */
import { copyFileSync } from 'node:fs'
import { SEVERITIES } from '../src/domain/taxonomy.ts'
import { places } from '../src/geo/places.ts'
import { startChild } from './child.ts'
import { dataFile, MILLION, removeDatabase } from './data.ts'
import { fetchBytes, fetchPage } from './fetch.ts'
import { compare, type Paths, type Server } from './load.ts'
import { openPeerDatabase } from './peer/database.ts'
import type { Row } from './row.ts'
import { spread, whole } from './statistics.ts'

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
  await using peerChild = await startChild<{ url: string }>('servers/peer.ts', [databaseUrl])
  const service: Server = { child, headers: { authorization: `Bearer ${child.hello.key}` } }
  const peer: Server = { child: peerChild, headers: {} }

  const row = async (name: string, limited: boolean, ours: Paths, theirs: Paths = ours): Promise<Row> => {
    const { ratio, ...figures } = await compare(
      { server: service, paths: ours },
      { server: peer, paths: theirs },
      ROUNDS,
    )
    const told = ({ rate, p99 }: typeof figures.ours) => `${whole(rate)}/s, p99 ${p99.toFixed(0)} ms`
    return {
      name: `peer: ${name}`,
      value: `${ratio.toFixed(1)} times (${told(figures.ours)}; rounds ${spread(figures.rounds, 1)})`,
      limit: limited ? `≥ ${LEAST_TIMES} times` : '–',
      peer: `Fastify and PostgreSQL: ${told(figures.theirs)}`,
      ok: !limited || ratio >= LEAST_TIMES,
    }
  }
  const equal = async (ours: readonly string[], theirs = ours) => {
    for (const [at, path] of ours.slice(0, HELD_EQUAL).entries()) await holdEqual(service, path, peer, theirs[at]!)
  }

  const [ourPages, theirPages] = [await deepPages(service), await deepPages(peer)]
  const ids = await someIds(service)
  for (const paths of [STATE_MONTH, FOUR_FILTERS, BOXES, ids]) await equal(paths)
  await equal(ourPages, theirPages)

  const rows = [
    await row('one state, 30 days', true, STATE_MONTH),
    await row('four filters, ten years', true, FOUR_FILTERS),
    await row('a box of 0.2°, ten years', true, BOXES),
    await row('a page after 100,000 rows', true, ourPages, theirPages),
    await row('one by id', false, ids),
    await row('one state, 30 days, no question asked twice', false, neverTwice(), STATE_MONTH),
  ]
  await child.ask('arrivals', true)
  return [...rows, await row('one state, 30 days, an incident arriving each second (at ours)', false, STATE_MONTH)]
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
async function holdEqual(service: Server, ours: string, peer: Server, theirs: string): Promise<void> {
  const [one, other] = [await fetchBytes(service, ours), await fetchBytes(peer, theirs)]
  if (incidentsIn(one) !== incidentsIn(other)) throw new Error(`the peer answers other incidents to ${ours}`)
}

/** A list's incidents as they were written, without what is said about the list; one alone is all there is. */
function incidentsIn(body: Buffer): string {
  const text = body.toString()
  return text.split(/,"has_more":/, 1)[0]!
}
