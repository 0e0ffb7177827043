/**
 * Measures what readers of the public pages cost behind the nginx sample that keeps answers.
 *
 * A visit is what Chromium asks for: recorded here, with an empty and with a filled browser cache.
 * A day of readers is worked out in virtual time: visits, feeds and previews with the popularity of
 * `MIX`, at the hours of `HOURS`, against a model of the cache with the lives that the service's
 * headers give (nothing is compressed or scaled), with new incidents, corrections that empty the
 * cache twice each, and open maps that ask again after each event. The model is held against the
 * real nginx: minutes of the same trace in real time.
 */
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { createServer, request as httpRequest } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Agent, request } from 'undici'
import { CACHING } from '../../src/api/caching.ts'
import { LANGUAGE_CODES } from '../../src/domain/languages.ts'
import { places } from '../../src/geo/places.ts'
import { until } from '../../test/support/app.ts'
import { browserMissing, launchBrowser, PAINT_WITH_WEBGL } from '../../test/support/browser.ts'
import { SERVER_NAME, startNginx } from '../../test/support/external-programs.ts'
import { freePort } from '../../test/support/receivers.ts'
import { startChild } from '../harness/child.ts'
import { dataFile } from '../harness/data.ts'
import type { Row } from '../harness/row.ts'

const INCIDENTS = 20_000
const DAY = 86_400
/** The share of a day's visits by hour, from midnight in Nigeria. */
const HOURS = [8, 5, 4, 3, 4, 9, 22, 38, 48, 52, 54, 55, 56, 58, 57, 56, 58, 62, 68, 72, 74, 66, 46, 25]
/** Of a hundred visits. */
const MIX = { map: 50, mapOfState: 10, incident: 28, area: 12 }
const NEW_BROWSERS = 0.4
/** Of visits to the map: whoever moves it asks with the box that is seen, three times. */
const MOVING = 0.3
const MOVES = 3
const TILES_PER_MOVE = 6
const LANGUAGES = [0.9, 0.05, 0.02, 0.02, 0.01]
const OPEN_SECONDS = 180
/** Programs that ask for a feed once a minute, and previews for each hundred visits. */
const FEED_READERS = 1000
const PREVIEWS = 0.05
const EVENTS_PER_DAY = 130
const CORRECTIONS_PER_DAY = 30
const PURGES = [1, 7]
const REAL_SECONDS = 75
const REAL_READERS_PER_DAY = 300_000
const ADDRESSES = 64

interface Asked {
  readonly path: string
  readonly isPage: boolean
  readonly isKeyed: boolean
  readonly bytes: number
}

interface Visit {
  readonly first: readonly Asked[]
  readonly again: readonly Asked[]
}

/** A request of the trace; `speaks` for pages, which are kept by language. */
interface Request {
  readonly at: number
  readonly path: string
  readonly isPage: boolean
  readonly isKeyed: boolean
  readonly language: string
}

export async function run(): Promise<Row[]> {
  const missing = browserMissing()
  if (missing !== null) return [{ name: 'readers', value: `not measured: ${missing}`, limit: '–', ok: true }]
  const { path } = await dataFile(INCIDENTS)
  await using child = await startChild<{ url: string; key: string }>('servers/service.ts', [path])
  const { url } = child.hello
  const map = await visit(`${url}/`, true)
  const ids = await newestIds(url, child.hello.key)
  const incident = await visit(`${url}/incidents/${ids[0]}`, false)
  const area = await visit(`${url}/nigeria/kaduna`, false)
  const world = { map, incident, area, ids, areas: await areaPaths(url) }
  const rows = [describe('map', map), describe('incident', incident), describe('area', area)]
  for (const readers of [10_000, 100_000]) {
    const { hits, total, origin, streams } = replay(trace(world, readers, 0, DAY, true), true)
    const ratio = hits / total
    rows.push({
      name: `readers: answered by the cache, of a day of ${readers.toLocaleString('en')} readers`,
      value: `${percent(ratio)} (${percent(1 - origin / total)} not passed on; ${total.toLocaleString('en')} requests, and ${streams.toLocaleString('en')} streams)`,
      limit: readers >= 100_000 ? '≥ 90 %' : '–',
      ok: readers < 100_000 || ratio >= 0.9,
    })
  }
  for (const { name, value } of rows) console.error(name, value)
  rows.push(...(await inRealTime(world, url, child.pid)))
  return rows
}

async function inRealTime(world: World, url: string, servicePid: number): Promise<Row[]> {
  const purgePort = await freePort()
  const nginx = await startNginx(Number(new URL(url).port), { purgePort })
  if (typeof nginx === 'string')
    return [{ name: 'readers: nginx', value: `not measured: ${nginx}`, limit: '–', ok: true }]
  await using _ = nginx
  // The map's key has a limit for each address.
  const agents = Array.from({ length: ADDRESSES }, (_, number) => {
    const connect = { ca: nginx.certificate, servername: SERVER_NAME, localAddress: `127.0.1.${number + 1}` }
    return new Agent({ connections: 8, connect })
  })
  const noon = 12 * 3600
  const requests = trace(world, REAL_READERS_PER_DAY, noon, noon + REAL_SECONDS, false).filter(
    ({ path }) => !path.startsWith('/v1/stream'),
  )
  const counts: Record<string, number> = {}
  let [bytes, pending, failed, counted] = [0, 0, 0, 0]
  const pids = nginxPids(nginx.pid)
  const [nginxBefore, serviceBefore] = [processorSeconds(pids), processorSeconds([servicePid])]
  const began = performance.now()
  let latest = 0
  for (const asked of requests) {
    const wait = (asked.at - noon) * 1000 - (performance.now() - began)
    if (wait > 2) await new Promise((resolve) => setTimeout(resolve, wait))
    else latest = Math.max(latest, -wait)
    pending++
    void ask(asked).finally(() => pending--)
  }
  await until(() => pending === 0, 'the last answers')
  const [nginxSeconds, serviceSeconds] = [
    processorSeconds(pids) - nginxBefore,
    processorSeconds([servicePid]) - serviceBefore,
  ]
  await Promise.all(agents.map((agent) => agent.close()))
  const { hits, total, origin } = replay(requests, false)
  const seen = (counts.HIT ?? 0) + (counts.STALE ?? 0) + (counts.UPDATING ?? 0) + (counts.REVALIDATED ?? 0)
  const all = Object.values(counts).reduce((sum, one) => sum + one, 0)
  const perRequest = (nginxSeconds / all) * 1e6
  const perVisit = (nginxSeconds + serviceSeconds) / (REAL_READERS_PER_DAY * share(noon, noon + REAL_SECONDS))
  return [
    {
      name: `readers: ${REAL_SECONDS} s of the trace through nginx, with an empty cache, beside the model`,
      value: `${percent(seen / all)} (${JSON.stringify(counts)}; ${failed} failed, ${latest.toFixed(0)} ms late at most)`,
      peer: `model: ${percent(hits / total)}, ${origin} passed on`,
      limit: 'within 3 % of the model',
      ok: failed === 0 && Math.abs(seen / all - hits / total) < 0.03,
    },
    {
      name: 'readers: processor time',
      value: `nginx ${perRequest.toFixed(0)} µs a request of ${(bytes / all / 1000).toFixed(1)} KB, with TLS; the service ${((serviceSeconds / (all - seen)) * 1e6).toFixed(0)} µs for each that is passed on; together ${(perVisit * 1000).toFixed(2)} ms a visit`,
      limit: '–',
      ok: true,
    },
  ]

  async function ask({ path, isPage, isKeyed, language }: Request): Promise<void> {
    try {
      const { statusCode, headers, body } = await request(`https://127.0.0.1:${nginxPort()}${path}`, {
        dispatcher: agents[counted++ % ADDRESSES]!,
        headers: {
          host: SERVER_NAME,
          accept: isPage ? 'text/html' : '*/*',
          'accept-encoding': 'gzip, deflate, br',
          'accept-language': language,
          ...(isKeyed ? { authorization: `Bearer ${world.map.key}` } : {}),
        },
      })
      bytes += (await body.arrayBuffer()).byteLength
      if (statusCode >= 400) throw new Error(`${statusCode} ${path}`)
      const status = String(headers['x-cache'])
      counts[status] = (counts[status] ?? 0) + 1
    } catch (error) {
      if (failed++ < 3) console.error(error)
    }
  }
  function nginxPort(): number {
    return (nginx as { port: number }).port
  }
}

interface World {
  readonly map: Visit & { readonly key: string }
  readonly incident: Visit
  readonly area: Visit
  readonly ids: readonly string[]
  readonly areas: readonly string[]
}

/** The requests of a stretch of a day, in order. */
function trace(world: World, readers: number, from: number, to: number, hasEvents: boolean): Request[] {
  const random = randomOf(readers)
  const requests: Request[] = []
  const events = hasEvents ? times(random, EVENTS_PER_DAY, from, to) : []
  let seq = INCIDENTS
  const eventAt = events.map((at) => ({ at, seq: ++seq }))
  const seqAt = (at: number) => eventAt.findLast((event) => event.at <= at)?.seq ?? INCIDENTS
  const zipf = <Item>(items: readonly Item[]) =>
    items[Math.min(items.length - 1, Math.floor(items.length ** random() - 1))]!
  const languageOf = () => {
    let left = random()
    for (const [index, part] of LANGUAGES.entries()) {
      left -= part
      if (left < 0) return LANGUAGE_CODES[index]!
    }
    return 'en'
  }
  const add = (at: number, asked: Pick<Asked, 'path' | 'isPage' | 'isKeyed'>, language: string, path = asked.path) =>
    requests.push({ at, path, isPage: asked.isPage, isKeyed: asked.isKeyed, language })
  const open = (at: number, asked: readonly Asked[], change: (path: string) => string, language: string) => {
    for (const one of asked) add(at, one, language, change(one.path).replace(/min_seq=\d+/, `min_seq=${seqAt(at)}`))
  }
  const ofState = (code: string) => (path: string) =>
    /^\/(\?|$)|^\/v1\/(incidents|stats|tiles)/.test(path)
      ? `${path}${path.includes('?') ? '&' : '?'}state=${code}`
      : path
  for (const at of times(random, readers * share(from, to), from, to, true)) {
    const language = languageOf()
    const isNew = random() < NEW_BROWSERS
    const pick = random() * 100
    const asked = ({ first, again }: Visit) => (isNew ? first : again)
    if (pick < MIX.map + MIX.mapOfState) {
      const change = pick < MIX.map ? (path: string) => path : ofState(zipf(places.states).code)
      open(at, asked(world.map), change, language)
      if (random() < MOVING) move(at + 20, change, language)
      for (const event of eventAt)
        if (event.at > at && event.at < at + OPEN_SECONDS)
          open(
            event.at + random(),
            world.map.again.filter(({ path }) => path.includes('min_seq=')),
            change,
            language,
          )
    } else if (pick < MIX.map + MIX.mapOfState + MIX.incident) {
      const id = zipf(world.ids)
      open(at, asked(world.incident), (path) => path.replace(world.ids[0]!, id), language)
    } else {
      const path = zipf(world.areas)
      open(at, asked(world.area), (one) => one.replace('/nigeria/kaduna', path), language)
    }
    if (random() < PREVIEWS)
      add(at, { path: `/incidents/${zipf(world.ids)}/preview.png`, isPage: false, isKeyed: false }, language)
  }
  for (let reader = 0; reader < FEED_READERS; reader++) {
    const path = `${zipf(['/nigeria', ...places.states.map(({ name }) => `/nigeria/${name.toLowerCase().replaceAll(' ', '-')}`)])}/feed.atom`
    for (let at = from + random() * 60; at < to; at += 60) add(at, { path, isPage: false, isKeyed: false }, 'en')
  }
  return requests.sort((one, other) => one.at - other.at)

  function move(at: number, change: (path: string) => string, language: string): void {
    for (let count = 0; count < MOVES; count++) {
      const time = at + count * 8
      const { lat, lng } = zipf(places.lgas)
      const box = [lng - 1, lat - 1, lng + 1, lat + 1].map((degrees) => (degrees + random() / 10).toFixed(3)).join()
      const z = 7 + count
      const [x, y] = [Math.floor(((lng + 180) / 360) * 2 ** z), Math.floor(mercator(lat) * 2 ** z)]
      const tile = world.map.again.find(({ path }) => path.startsWith('/v1/tiles/'))!
      for (let number = 0; number < TILES_PER_MOVE; number++)
        open(
          time,
          [
            {
              ...tile,
              path: tile.path.replace(/tiles\/[\d/]+/, `tiles/${z}/${x + (number % 3)}/${y + Math.floor(number / 3)}`),
            },
          ],
          change,
          language,
        )
      const asked = world.map.again.filter(({ path }) => /^\/v1\/(incidents|stats)\?/.test(path))
      open(time, asked, (path) => `${change(path)}&bbox=${box}`, language)
    }
  }
}

/** The cache of the sample in virtual time. */
function replay(requests: readonly Request[], hasPurges: boolean) {
  const kept = new Map<string, { freshUntil: number; shownUntil: number }>()
  const purges = hasPurges
    ? times(randomOf(7), CORRECTIONS_PER_DAY, 0, DAY)
        .flatMap((at) => PURGES.map((after) => at + after))
        .sort((a, b) => a - b)
    : []
  let [hits, origin, streams] = [0, 0, 0]
  for (const { at, path, isPage, isKeyed, language } of requests) {
    while (purges.length > 0 && purges[0]! <= at) {
      kept.clear()
      purges.shift()
    }
    if (path.startsWith('/v1/stream')) {
      streams++
      continue
    }
    const key = `${isKeyed} ${isPage ? language : ''} ${path}`
    const found = kept.get(key)
    const isShown = found !== undefined && at < found.shownUntil
    if (isShown) hits++
    if (isShown && at < found.freshUntil) continue
    origin++
    const { fresh, shown } = lifeOf(path)
    kept.set(key, { freshUntil: at + fresh, shownUntil: at + fresh + shown })
  }
  return { hits, origin, streams, total: requests.length - streams }
}

function lifeOf(path: string): { fresh: number; shown: number } {
  const kind = /preview\.png/.test(path)
    ? 'images'
    : /^\/assets\//.test(path)
      ? 'assets'
      : /\.geojson/.test(path)
        ? 'boundaries'
        : /\.(ico|svg|webmanifest|png)$/.test(path)
          ? 'files'
          : path.includes('min_seq=')
            ? 'versions'
            : path.includes('feed.atom')
              ? 'feeds'
              : path.startsWith('/v1/')
                ? 'answers'
                : 'live'
  const { shared } = CACHING[kind]
  const fresh = Number(/s-maxage=(\d+)/.exec(shared)?.[1] ?? /max-age=(\d+)/.exec(shared)![1])
  return { fresh, shown: Number(/stale-while-revalidate=(\d+)/.exec(shared)?.[1] ?? 0) }
}

/** Opens a page twice, and records what goes over the wire: workers of the page ask, too. */
async function visit(url: string, isMap: boolean): Promise<Visit & { key: string }> {
  const { origin, pathname } = new URL(url)
  let asked: Asked[] = []
  let key = ''
  const recorder = createServer((incoming, answer) => {
    const { url: path = '/', method, headers } = incoming
    const { authorization } = headers
    if (authorization !== undefined) key = authorization.replace('Bearer ', '')
    const isStream = path.startsWith('/v1/stream')
    const note = (bytes: number) =>
      asked.push({ path, isPage: path === pathname, isKeyed: authorization !== undefined, bytes })
    if (isStream) note(0)
    const passed = httpRequest(`${origin}${path}`, { method, headers }, (from) => {
      let bytes = from.rawHeaders.join('').length
      answer.writeHead(from.statusCode!, from.headers)
      from.on('data', (chunk: Buffer) => {
        bytes += chunk.length
      })
      from.on('end', () => {
        if (!isStream) note(bytes)
      })
      from.pipe(answer)
    })
    passed.on('error', () => answer.destroy())
    answer.on('close', () => passed.destroy())
    incoming.pipe(passed)
  })
  recorder.listen(0, '127.0.0.1')
  await once(recorder, 'listening')
  const { port } = recorder.address() as AddressInfo
  const browser = await launchBrowser(...PAINT_WITH_WEBGL)
  try {
    const context = await browser.newContext({ viewport: { width: 1280, height: 800 }, serviceWorkers: 'block' })
    const page = await context.newPage()
    const load = async () => {
      asked = []
      await page.goto(`http://127.0.0.1:${port}${pathname}`)
      if (isMap) await page.waitForFunction(() => performance.getEntriesByName('incidents-drawn').length > 0)
      let count = -1
      await until(async () => {
        await new Promise((resolve) => setTimeout(resolve, 2500))
        const isQuiet = count === asked.length
        count = asked.length
        return isQuiet
      })
      return asked
    }
    const first = await load()
    return { first, again: await load(), key }
  } finally {
    await browser.close()
    recorder.closeAllConnections()
    recorder.close()
  }
}

function describe(name: string, { first, again }: Visit): Row {
  const sum = (asked: readonly Asked[]) => asked.reduce((total, { bytes }) => total + bytes, 0) / 1000
  return {
    name: `readers: a visit to the page of ${name === 'map' ? 'the map' : `an ${name}`}`,
    value: `${first.length} requests and ${sum(first).toFixed(0)} KB the first time, ${again.length} and ${sum(again).toFixed(0)} KB later`,
    limit: '–',
    ok: true,
  }
}

async function newestIds(url: string, key: string): Promise<string[]> {
  const response = await fetch(`${url}/v1/incidents?limit=1000&fields=id`, {
    headers: { authorization: `Bearer ${key}` },
  })
  return ((await response.json()) as { data: { id: string }[] }).data.map(({ id }) => id)
}

async function areaPaths(url: string): Promise<string[]> {
  const text = await (await fetch(`${url}/sitemap.xml`)).text()
  return [...text.matchAll(/<loc>[^<]*?(\/nigeria[^<]*)<\/loc>/g)].map(([, path]) => path!)
}

/** A share of a day by `HOURS`. */
function share(from: number, to: number): number {
  const total = HOURS.reduce((sum, one) => sum + one, 0)
  let found = 0
  HOURS.forEach((weight, hour) => {
    const overlap = Math.max(0, Math.min(to, (hour + 1) * 3600) - Math.max(from, hour * 3600))
    found += ((weight / total) * overlap) / 3600
  })
  return found
}

/** `count` moments, by the hours of the day if wanted. */
function times(random: () => number, count: number, from: number, to: number, byHours = false): number[] {
  const most = Math.max(...HOURS)
  const found: number[] = []
  while (found.length < Math.round(count)) {
    const at = from + random() * (to - from)
    if (!byHours || random() < HOURS[Math.floor(at / 3600) % 24]! / most) found.push(at)
  }
  return found.sort((one, other) => one - other)
}

/** mulberry32 */
function randomOf(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

function mercator(lat: number): number {
  const sin = Math.sin((lat * Math.PI) / 180)
  return 0.5 - Math.log((1 + sin) / (1 - sin)) / (4 * Math.PI)
}

/** The workers: the master has nothing to do, and the loader of the cache ends after a minute. */
function nginxPids(master: number): number[] {
  const children = readFileSync(`/proc/${master}/task/${master}/children`, 'utf8').trim().split(' ').map(Number)
  return children.filter((pid) => readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes('worker process'))
}

const TICKS_PER_SECOND = 100

function processorSeconds(pids: readonly number[]): number {
  return pids.reduce((sum, pid) => {
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]!.split(' ')
    return sum + (Number(fields[11]) + Number(fields[12])) / TICKS_PER_SECOND
  }, 0)
}

function percent(part: number): string {
  return `${(100 * part).toFixed(1)} %`
}
