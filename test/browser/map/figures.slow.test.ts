import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import type { Page, Response } from 'playwright-core'
import type { Incident } from '../../../src/domain/incident.ts'
import { SEVERITIES, TYPE_NAMES } from '../../../src/domain/taxonomy.ts'
import { filterInAddress } from '../../../src/filter/map-address.ts'
import { MAP_PERIOD_NAMES } from '../../../src/filter/map-periods.ts'
import { until } from '../../support/app.ts'
import { skipBrowser } from '../../support/browser.ts'
import { countIn, featuresOf } from '../../support/readers.ts'
import { type BrowserFixture, minutesAgo, showAddress, startBrowserFixture } from '../browser-fixture.ts'

/** Forty take a minute and a half: VIEWS=40 compares as many. */
const VIEWS = Number(process.env.VIEWS ?? 12)
const DAY_MINUTES = 24 * 60
const STATES = [
  ['Kaduna', 'NG-KD'],
  ['Lagos', 'NG-LA'],
  ['Borno', 'NG-BO'],
] as const
const TYPES = TYPE_NAMES.slice(0, 5)

/** Deterministic, so that a failure can be seen again (mulberry32). */
function randomFrom(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
}

const random = randomFrom(14)
const below = (limit: number) => Math.floor(random() * limit)
const oneOf = <Value>(values: readonly Value[]): Value => values[below(values.length)]!
const someOf = <Value>(values: readonly Value[]) => values.filter(() => random() < 0.4)

/** An incident anywhere in Nigeria; half of them of the last month, many at the edges of days. */
function randomIncident(number: number, minutes = random() ** 3 * 500 * DAY_MINUTES): Incident {
  const [state, state_code] = oneOf(STATES)
  const known = () => (random() < 0.5 ? null : below(9))
  const incident = minutesAgo(Math.floor(minutes), number, {
    state,
    type: oneOf(TYPES),
    severity: oneOf(SEVERITIES),
    lat: 5 + below(80_000) / 10_000,
    lng: 3.5 + below(100_000) / 10_000,
    confidence: below(100) / 100,
    casualties: { killed: known(), injured: known(), abducted: known() },
  })
  return { ...incident, location: { ...incident.location, state_code } }
}

/** The address of a random window, view and filter. */
function randomAddress(): string {
  const address = new URLSearchParams({ span: oneOf(MAP_PERIOD_NAMES) })
  if (random() < 0.5) {
    const end = Date.now() - below(60 * DAY_MINUTES) * 60_000
    const length = 3_600_000 * (1 + below(random() < 0.5 ? 48 : 24 * 120))
    address.set('from', new Date(end - length).toISOString())
    address.set('to', new Date(end).toISOString())
  }
  const lists = {
    state: someOf(STATES).map(([, code]) => code),
    type: someOf(TYPES),
    severity: someOf(SEVERITIES),
  }
  for (const [name, values] of Object.entries(lists))
    if (values.length > 0 && random() < 0.5) address.set(name, values.join(','))
  if (random() < 0.3) address.set('min_confidence', oneOf(['0.3', '0.6', '0.75']))
  const [west, south] = [3 + below(60) / 10, 4 + below(60) / 10]
  const where = random()
  if (where < 0.3) address.set('box', [west, south, west + 1 + below(5), south + 1 + below(4)].join(','))
  else if (where < 0.7) address.set('at', `${7 + below(25) / 10}/${south + 1}/${west + 2}`)
  return `/?${address}`
}

/** The contents of the page, read in one moment. */
interface Shown {
  /** The parts that are loading. */
  readonly busy: string
  /** The query of the list. */
  readonly query: string
  readonly address: string
  readonly mapSize: readonly [width: number, height: number]
  readonly seq: number
  readonly headline: string
  readonly casualties: string
  readonly chips: string
  readonly timeline: string
  readonly rows: number
  readonly waiting: string
}

const read = (page: Page): Promise<Shown> =>
  page.evaluate(() => {
    const text = (selector: string) => document.querySelector(selector)?.textContent ?? ''
    const list = document.querySelector<HTMLElement>('.list')!
    const map = document.querySelector<HTMLElement>('.map')!
    return {
      busy: [...document.querySelectorAll('[aria-busy=true]')].map((part) => part.className).join(),
      query: list.dataset.query ?? '',
      address: location.search,
      mapSize: [map.clientWidth, map.clientHeight],
      seq: Number(list.dataset.seq),
      headline: text('.list-head h1').split(' ')[0]!,
      casualties: text('.casualty-totals'),
      chips: [...document.querySelectorAll('.severity .figure')].map((figure) => figure.textContent).join(' '),
      timeline: document.querySelector('.bars')?.getAttribute('aria-label')?.split(' ')[0] ?? '',
      rows: document.querySelectorAll('.rows .row').length,
      waiting: text('.new-arrivals'),
    }
  })

/**
 * The query that the address asks for, worked out without the page; the box only if the address
 * names one.
 */
function askedFor({ address }: Shown): URLSearchParams {
  const query = filterInAddress(new URLSearchParams(address), Date.now())
  query.sort()
  return query
}

/**
 * The query of the page if it is the one of its address; null if not. The address rounds the
 * camera, so a box that it does not name may differ by a hundredth of its size.
 */
function agreedQuery(shown: Shown): URLSearchParams | null {
  const asked = askedFor(shown)
  const query = new URLSearchParams(shown.query)
  query.sort()
  const camera = new URLSearchParams(shown.address).get('at')?.split('/').map(Number)
  const box = query.get('bbox')?.split(',').map(Number)
  if (!asked.has('bbox') && camera !== undefined) {
    const visible = visibleBox(camera, shown.mapSize)
    const tolerance = (visible[2] - visible[0]) / 100
    if (!box?.every((edge, index) => Math.abs(edge - visible[index]!) < tolerance)) return null
    asked.set('bbox', query.get('bbox')!)
    asked.sort()
  }
  return asked.toString() === query.toString() ? query : null
}

/** West, south, east and north of what a map of that size shows. */
function visibleBox([zoom, lat, lng]: readonly number[], [width, height]: Shown['mapSize']) {
  const pixels = 512 * 2 ** zoom!
  const x = lng! / 360 + 0.5
  const y = 0.5 - Math.asinh(Math.tan((lat! * Math.PI) / 180)) / (2 * Math.PI)
  const [halfWidth, halfHeight] = [width / pixels / 2, height / pixels / 2]
  const lngAt = (share: number) => (share - 0.5) * 360
  const latAt = (share: number) => (Math.atan(Math.sinh((0.5 - share) * 2 * Math.PI)) * 180) / Math.PI
  return [lngAt(x - halfWidth), latAt(y + halfHeight), lngAt(x + halfWidth), latAt(y - halfHeight)] as const
}

describe('the figures of the page', { skip: skipBrowser() }, () => {
  let fixture: BrowserFixture
  const published: Incident[] = []
  before(async () => {
    fixture = await startBrowserFixture()
    for (let number = 1; number <= 400; number++) published.push(randomIncident(number))
    await fixture.app.publish(published)
  })
  after(() => fixture?.[Symbol.asyncDispose]())

  /** New, corrected and retracted incidents, while the page loads. */
  const arrive = async () => {
    for (let left = below(3); left >= 0; left--) {
      const kind = random()
      const index = below(published.length)
      const old = published[index]!
      if (kind < 0.7) {
        const incident = randomIncident(published.length + 1, random() < 0.7 ? 0 : 5000)
        published.push(incident)
        await fixture.app.publish([incident])
      } else if (kind < 0.9 && old.status === 'confirmed') {
        published[index] = { ...old, severity: oneOf(SEVERITIES), version: old.version + 1 }
        await fixture.app.publish([published[index]!], 'incident.updated')
      } else if (old.status === 'confirmed') {
        published[index] = { ...old, status: 'retracted', version: old.version + 1 }
        await fixture.app.publish([published[index]!], 'incident.retracted')
      }
    }
  }

  /**
   * The stream sends only what matches places and types: this makes the page load the last moment.
   */
  const arriveLast = async (address: URLSearchParams) => {
    const incident = randomIncident(published.length + 1, 0)
    const [code] = address.get('state')?.split(',') ?? [incident.location.state_code]
    const type = TYPES.find((name) => address.get('type')?.split(',').includes(name) ?? true)!
    const matching = { ...incident, type, confidence: 0.99, location: { ...incident.location, state_code: code! } }
    published.push(matching)
    await fixture.app.publish([matching])
  }

  const ask = async (path: string, query: URLSearchParams, seq: number) => {
    const response = await fixture.app.get(`${path}?${query}`)
    assert.equal(response.status, 200, await response.clone().text())
    const body = await response.json()
    assert.equal(body.meta.seq, seq, 'nothing may arrive during the comparison')
    return body
  }

  /** Asks the API for what the page should show. */
  const expected = async (query: URLSearchParams, seq: number): Promise<Partial<Shown>> => {
    const counted = new URLSearchParams(query)
    counted.set('group_by', 'severity')
    const { total } = await ask('/v1/stats', counted, seq)
    counted.delete('severity')
    const { data } = await ask('/v1/stats', counted, seq)
    const counts = new Map<string, number>(
      data.map((bucket: { severity: { key: string }; count: number }) => [bucket.severity.key, bucket.count]),
    )
    const { casualties } = total
    const names = ['killed', 'injured', 'abducted'].filter((name) => casualties[name] !== null)
    const list = new URLSearchParams(query)
    list.set('limit', '1000')
    const { data: incidents } = await ask('/v1/incidents', list, seq)
    assert.equal(incidents.length, total.count)
    return {
      headline: String(total.count),
      casualties: names.map((name) => `${casualties[name]} ${name}`).join(' · '),
      chips: SEVERITIES.toReversed()
        .map((severity) => counts.get(severity) ?? 0)
        .join(' '),
      timeline: String(total.count),
      rows: Math.min(50, total.count),
      waiting: '',
    }
  }

  /** Waits until the page shows the last event and has asked for what its address says. */
  const settled = async (page: Page): Promise<{ shown: Shown; query: URLSearchParams }> => {
    const { seq } = await fixture.app.store.events.head()
    let shown = await read(page)
    let query: URLSearchParams | null = null
    await until(async () => {
      shown = await read(page)
      query = agreedQuery(shown)
      return shown.busy === '' && shown.seq === seq && query !== null
    }, `the page at event ${seq}`).catch((error: Error) => {
      throw new Error(`${error.message}, with ${askedFor(shown)}: ${JSON.stringify(shown)}`)
    })
    return { shown, query: query! }
  }

  it(`agree with the API in ${VIEWS} random windows, views and filters while incidents arrive`, async () => {
    const { page, problems } = await fixture.showMap()
    let tiles: Response[] = []
    page.on('response', (response) => {
      if (response.url().includes('/v1/tiles/')) tiles.push(response)
    })
    const differences: string[] = []
    const totals: number[] = []
    let comparedTiles = 0
    for (let number = 1; number <= VIEWS; number++) {
      const address = randomAddress()
      await showAddress(page, address)
      await arrive()
      tiles = []
      await arriveLast(new URLSearchParams(address.slice(2)))
      const lastArrivedAt = Date.now()
      const { shown, query } = await settled(page)
      for (const [name, value] of new URLSearchParams(address.slice(2)))
        if (name !== 'at' && name !== 'span' && name !== 'from' && name !== 'to')
          assert.equal(new URLSearchParams(shown.address).get(name), value, `the address keeps ${name}`)
      const wanted = await expected(query, shown.seq)
      totals.push(Number(wanted.headline))
      for (const [name, value] of Object.entries(wanted)) {
        const got = shown[name as keyof Shown]
        if (String(got) !== String(value))
          differences.push(`view ${number}, ${address}: ${name} is ${got}, not ${value}; ${JSON.stringify(shown)}`)
      }
      if (number % 5 === 0) await countAllRows(page, Number(wanted.headline), differences)
      comparedTiles += await compareTiles(tiles, query, shown.seq, lastArrivedAt, differences)
    }
    assert.deepEqual(differences, [])
    assert.deepEqual(problems, [])
    assert.ok(new Set(totals).size > VIEWS / 4, `the views have different totals: ${totals}`)
    assert.ok(comparedTiles > VIEWS, `${comparedTiles} tiles were compared`)
  })

  /** Shows all pages of the list: its rows are as many as the headline says. */
  const countAllRows = async (page: Page, total: number, differences: string[]) => {
    while ((await read(page)).rows < total) {
      const { rows } = await read(page)
      await page.locator('.more').click()
      await until(async () => (await read(page)).rows > rows, 'more rows')
    }
    const { rows } = await read(page)
    if (rows !== total) differences.push(`the list has ${rows} rows, not ${total}`)
    // A list that is scrolled or under the pointer counts as being read, and lets arrivals wait.
    await page.mouse.move(900, 300)
    await page.locator('.panel-scroll').evaluate((scroller) => scroller.scrollTo({ top: 0 }))
  }

  /**
   * The marks of every tile count what the API counts in the tile's area. The map also asks for
   * tiles of the view that it leaves, which nobody sees when the last event changes them: only
   * those in view must have been asked for since.
   */
  const compareTiles = async (
    tiles: readonly Response[],
    asked: URLSearchParams,
    seq: number,
    lastArrivedAt: number,
    differences: string[],
  ): Promise<number> => {
    const wanted = new URLSearchParams(asked)
    wanted.delete('bbox')
    wanted.delete('min_seq')
    const queryOf = (response: Response) => {
      const { searchParams } = new URL(response.url())
      searchParams.delete('min_seq')
      searchParams.sort()
      return searchParams.toString()
    }
    const answers = () => tiles.filter((response) => queryOf(response) === wanted.toString() && response.status() < 300)
    await until(() => answers().length > 0, `a tile of ${wanted}; the map asked for ${new Set(tiles.map(queryOf))}`)
    const newest = new Map(answers().map((response) => [tileOf(response).join('/'), response]))
    const [zoom] = tileOf(answers().at(-1)!)
    const visible = asked.get('bbox')?.split(',').map(Number) ?? null
    let compared = 0
    for (const response of newest.values()) {
      const [z, x, y] = tileOf(response)
      const isInView = z === zoom && (visible === null || overlaps(tileBox(z, x, y).map(Number), visible))
      if (!isInView && response.request().timing().startTime < lastArrivedAt) continue
      const marks = response.status() === 204 ? 0 : countIn(featuresOf(await response.body()))
      const query = new URLSearchParams(wanted)
      query.set('bbox', tileBox(z, x, y).join(','))
      query.set('group_by', 'severity')
      const { total } = await ask('/v1/stats', query, seq)
      if (marks !== total.count) differences.push(`tile ${z}/${x}/${y} has ${marks}, not ${total.count}: ${wanted}`)
      compared++
    }
    return compared
  }
})

/** Zoom, column and row of a tile. */
function tileOf(response: Response): [number, number, number] {
  const numbers = new URL(response.url()).pathname.match(/\d+(?=\/|\.mvt)/g)!
  return numbers.slice(-3).map(Number) as [number, number, number]
}

/** Whether the boxes have in common more than the rounding of a box in the page's query. */
function overlaps(tile: readonly number[], [west, south, east, north]: readonly number[]): boolean {
  const margin = (east! - west!) / 100
  return (
    tile[0]! + margin < east! && tile[1]! + margin < north! && tile[2]! - margin > west! && tile[3]! - margin > south!
  )
}

/** West, south, east and north of a tile, a little smaller: its edges belong to one neighbour. */
function tileBox(z: number, x: number, y: number): string[] {
  const lng = (column: number) => (column / 2 ** z) * 360 - 180
  const lat = (row: number) => (Math.atan(Math.sinh(Math.PI * (1 - (2 * row) / 2 ** z))) * 180) / Math.PI
  const edge = 1e-7
  return [lng(x) + edge, lat(y + 1) + edge, lng(x + 1) - edge, lat(y) - edge].map((degrees) => degrees.toFixed(8))
}
