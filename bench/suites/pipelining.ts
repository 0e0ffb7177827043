/**
 * Sends 1,000 requests in one write, on one connection, with 1,000,000 incidents, and measures the
 * longest wait of a control client that asks for `/healthz` meanwhile: directly, and through nginx
 * with the sample of `deploy/nginx`. No two requests ask the same, so that no cache answers them.
 * "idle" is the control client's longest wait in a second just before: on a machine with other
 * work it tells what the machine adds. So the verdict is on the longest turn of the service's
 * event loop in a last round, in processor time, garbage collection included. PIPELINING_BESIDE, a
 * commit, measures that commit in the same rounds; PIPELINING_ONLY, a regular expression, selects
 * kinds.
 */
import { copyFileSync } from 'node:fs'
import { connect } from 'node:net'
import { setTimeout as wait } from 'node:timers/promises'
import { connect as connectTls } from 'node:tls'
import { places } from '../../src/geo/places.ts'
import { SERVER_NAME, startNginx } from '../../test/support/external-programs.ts'
import { dataReadableBy } from '../against/against.ts'
import { checkOut } from '../against/checkout.ts'
import { type Child, startChild } from '../harness/child.ts'
import { dataFile, MILLION, removeDatabase } from '../harness/data.ts'
import type { Row } from '../harness/row.ts'
import { ControlClient, type Target, type Waits } from '../hostile/control-client.ts'

const REQUESTS = 1000
const ROUNDS = 3
const MOST_MS = 50
/** The client then leaves: the largest questions would take minutes. */
const PATIENCE_MS = 5_000
const IDLE_MS = 1_000

const { BESIDE, ONLY } = { BESIDE: process.env.PIPELINING_BESIDE, ONLY: process.env.PIPELINING_ONLY }

/** A number that was never asked with before, as a confidence of at most 0.1. */
type Kind = (fresh: string, number: number) => string
const state = (number: number) => places.states[number % places.states.length]!.code
const lga = (number: number) => places.lgas[number % places.lgas.length]!
const month = (number: number) => `${2017 + (number % 9)}-${String(1 + (number % 12)).padStart(2, '0')}`

const KINDS: Readonly<Record<string, Kind>> = {
  'the map page of a state': (_, number) => `/?state=${state(number)}&since=${1 + (number % 8000)}h`,
  'the map page, all years': (fresh) => `/?span=all&min_confidence=${fresh}`,
  'lists of a state': (fresh, number) => `/v1/incidents?state=${state(number)}&min_confidence=${fresh}`,
  'lists near a place': (fresh, number) =>
    `/v1/incidents?near=${lga(number).lat},${lga(number).lng}&radius_km=100&min_confidence=${fresh}`,
  'lists of 1,000 as GeoJSON': (fresh) => `/v1/incidents?limit=1000&format=geojson&min_confidence=${fresh}`,
  'lists of words': (fresh) => `/v1/incidents?q=zebra+crossing&min_confidence=${fresh}`,
  'lists of one incident': (_, number) => `/v1/incidents?limit=1&since=${1 + number}h`,
  'statistics by state': (fresh) => `/v1/stats?group_by=state&min_confidence=${fresh}`,
  'statistics by LGA and type': (fresh) => `/v1/stats?group_by=lga,type&min_confidence=${fresh}`,
  'tiles of the country': (fresh) => `/v1/tiles/4/8/7.mvt?min_confidence=${fresh}`,
  trends: (_, number) => `/v1/trends?group_by=lga&type=kidnapping&state=${state(number)}&period=month`,
  'pages of areas': (_, number) => `/nigeria/${lga(number).state.code}/${lga(number).code}`,
  changes: (_, number) => `/v1/changes?limit=1000&after=${number * 900}`,
  'months as CSV': (_, number) => `/v1/archive/${month(number)}.csv`,
  'preview images': (fresh) => `/preview.png?span=all&min_confidence=${fresh}`,
  'map pictures': (fresh) => `/map.svg?span=all&min_confidence=${fresh}`,
  briefings: (fresh) => `/briefing?span=all&min_confidence=${fresh}`,
  'guides and the reference': (_, number) => ['/docs', '/openapi.json', '/docs/filters'][number % 3]!,
}

type Service = Child<{ url: string; key: string }>

interface Measured {
  readonly waits: Waits
  readonly idle: Waits
  readonly answered: number
}

export async function run(): Promise<Row[]> {
  const { path } = await dataFile(MILLION)
  const copies = ['pipelining', 'pipelining-beside'].map((name) => `${path}.${name}-${process.pid}`)
  await using scope = new AsyncDisposableStack()
  try {
    copyFileSync(path, copies[0]!)
    const service = scope.use(await startChild<Service['hello']>('servers/service.ts', [copies[0]!]))
    let beside: Service | null = null
    if (BESIDE !== undefined) {
      const checkout = scope.use(checkOut(BESIDE))
      copyFileSync(await dataReadableBy(checkout.bench, path, MILLION), copies[1]!)
      beside = scope.use(await startChild<Service['hello']>('servers/service.ts', [copies[1]!], checkout.bench))
    }
    const rows = await measure('', service, targetOf(service), beside, beside && targetOf(beside))
    const nginx = await startNginx(targetOf(service).port)
    if (typeof nginx === 'string')
      return [...rows, { name: 'pipelining: through nginx', value: `not measured: ${nginx}`, limit: '–', ok: true }]
    scope.use(nginx)
    const tls = { servername: SERVER_NAME, ca: nginx.certificate }
    return [
      ...rows,
      ...(await measure(', through nginx', service, { host: '127.0.0.1', port: nginx.port, tls }, null, null)),
    ]
  } finally {
    await scope.disposeAsync()
    for (const copy of copies) removeDatabase(copy)
  }
}

function targetOf({ hello }: Service): Target {
  const { hostname, port } = new URL(hello.url)
  return { host: hostname, port: Number(port) }
}

let asked = 0

async function measure(
  how: string,
  service: Service,
  target: Target,
  beside: Service | null,
  besideTarget: Target | null,
): Promise<Row[]> {
  const only = new RegExp(ONLY ?? '')
  const rows: Row[] = []
  for (const [kind, pathOf] of Object.entries(KINDS).filter(([name]) => only.test(name))) {
    const ours: Measured[] = []
    const theirs: Measured[] = []
    for (let round = 0; round < ROUNDS; round++) {
      if (beside !== null) theirs.push(await sendAhead(beside, besideTarget!, pathOf))
      ours.push(await sendAhead(service, target, pathOf))
    }
    await service.ask('longestTurn', null)
    await exchange(target, requestsOf(service, target, pathOf))
    const { processor } = await service.ask('longestTurn', 'and stop')
    rows.push({
      name: `pipelining: ${kind}${how}`,
      value: `${processor.toFixed(1)} ms (${text(ours)})`,
      limit: `≤ ${MOST_MS} ms`,
      ...(theirs.length > 0 && { peer: `at ${BESIDE}: ${text(theirs)}` }),
      ok: processor <= MOST_MS,
    })
    console.error(`${rows.at(-1)!.name}: ${rows.at(-1)!.value}; ${rows.at(-1)!.peer ?? ''}`)
  }
  return rows
}

function text(rounds: readonly Measured[]): string {
  const all = (figure: (each: Measured) => number) => rounds.map((each) => figure(each).toFixed(0)).join(', ')
  return (
    `longest waits of the control client ${all(({ waits }) => waits.longest)}; p99 ${all(({ waits }) => waits.p99)}; ` +
    `idle ${all(({ idle }) => idle.longest)}; answered ${all(({ answered }) => answered)}`
  )
}

function requestsOf(service: Service, target: Target, pathOf: Kind): string {
  const host = target.tls?.servername ?? target.host
  const paths = Array.from({ length: REQUESTS }, () => {
    asked++
    return pathOf((asked / 1e7).toFixed(7), asked)
  })
  const requests = paths.map(
    (path, index) =>
      `GET ${path} HTTP/1.1\r\nHost: ${host}\r\nAuthorization: Bearer ${service.hello.key}\r\n` +
      `${index === REQUESTS - 1 ? 'Connection: close\r\n' : ''}\r\n`,
  )
  return requests.join('')
}

async function sendAhead(service: Service, target: Target, pathOf: Kind): Promise<Measured> {
  await using control = new ControlClient(target)
  await wait(IDLE_MS / 2)
  await control.takeWaits()
  await wait(IDLE_MS)
  const idle = await control.takeWaits()
  const answered = await exchange(target, requestsOf(service, target, pathOf))
  return { waits: await control.takeWaits(), idle, answered }
}

/** Returns how many answers began within the patience of a client. */
async function exchange({ host, port, tls }: Target, requests: string): Promise<number> {
  const socket = tls === undefined ? connect(port, host) : connectTls({ host, port, ...tls })
  let answers = 0
  const closed = new Promise<void>((resolve) => socket.once('close', () => resolve()))
  socket.on('error', () => {})
  socket.on('data', (chunk: Buffer) => {
    for (let at = chunk.indexOf('HTTP/1.1 '); at >= 0; at = chunk.indexOf('HTTP/1.1 ', at + 1)) answers++
  })
  socket.write(requests)
  const timer = setTimeout(() => socket.destroy(), PATIENCE_MS)
  await closed
  clearTimeout(timer)
  return answers
}
