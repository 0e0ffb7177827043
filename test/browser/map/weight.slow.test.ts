import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { syntheticIncidents } from '../../../src/demo/synthetic-incident.ts'
import { places } from '../../../src/geo/places.ts'
import { until } from '../../support/app.ts'
import { browserMissing } from '../../support/browser.ts'
import { type BrowserFixture, startBrowserFixture, waitForMap } from '../browser-fixture.ts'

const KILOBYTE = 1000
const MAX_BYTES_BEFORE_LIST = 80 * KILOBYTE
const MAX_BYTES_TOTAL = 500 * KILOBYTE
const MAX_BYTES_OWN_SCRIPTS = 60 * KILOBYTE
const DAY_MS = 86_400_000

describe('the weight of the map', { skip: browserMissing() ?? false, timeout: 600_000 }, () => {
  let fixture: BrowserFixture
  before(async () => {
    fixture = await startBrowserFixture()
    const until = Date.now()
    await fixture.app.publish([
      ...syntheticIncidents({ places, seed: 1, count: 500, from: until - 30 * DAY_MS, until }),
    ])
  })
  after(() => fixture?.[Symbol.asyncDispose]())

  const bytesOf = (paths: RegExp) =>
    fixture.sent.filter(({ path }) => paths.test(path)).reduce((total, { bytes }) => total + bytes, 0)
  const waitForResponse = (path: RegExp) => until(() => fixture.sent.some((one) => path.test(one.path)), String(path))

  it('shows the newest incidents after at most 80 KB, before MapLibre is loaded', async () => {
    fixture.sent.length = 0
    await using opened = await fixture.open('/', {}, (page) => page.route(/maplibre/, (route) => route.abort()))
    await until(async () => (await opened.page.locator('.app .rows .row').count()) === 50, 'the list')
    await waitForResponse(/^\/v1\/stats/)
    const bytes = bytesOf(/^\/$|\/(main|shared)-/)
    assert.ok(bytes > 10 * KILOBYTE && bytes <= MAX_BYTES_BEFORE_LIST, `${bytes} bytes`)
  })

  it('is at most 500 KB with the map, at most 60 KB of it our own scripts', async (context) => {
    fixture.sent.length = 0
    await using opened = await fixture.open()
    await waitForMap(opened.page)
    for (const path of [/\/maplibre-gl-worker/, /^\/v1\/tiles/, /states\.geojson/, /group_by=day/])
      await waitForResponse(path)
    const own = bytesOf(/\/(main|shared|start)-.*\.js$/)
    const all = bytesOf(/./)
    context.diagnostic(
      `${all} bytes in total, ${own} of them our own scripts, ${bytesOf(/^\/$|\/(main|shared)-/)} before reading`,
    )
    assert.ok(own > 10 * KILOBYTE && own <= MAX_BYTES_OWN_SCRIPTS, `${own} bytes of our own scripts`)
    assert.ok(all > 300 * KILOBYTE && all <= MAX_BYTES_TOTAL, `${all} bytes in total`)
  })
})
