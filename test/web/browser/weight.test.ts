import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { syntheticIncidents } from '../../../src/demo/synthetic-incident.ts'
import { places } from '../../../src/geo/places.ts'
import { until } from '../../support/app.ts'
import { browserMissing } from '../../support/browser.ts'
import { mapIsThere, type Stand, startStand } from './browser-app.ts'

const KILOBYTE = 1000
const MOST_BEFORE_READING = 80 * KILOBYTE
const MOST_IN_ALL = 480 * KILOBYTE
const MOST_OWN_SCRIPTS = 60 * KILOBYTE
const DAY = 86_400_000

describe('what the map weighs', { skip: browserMissing() ?? false, timeout: 600_000 }, () => {
  let stand: Stand
  before(async () => {
    stand = await startStand()
    const until = Date.now()
    await stand.app.publish([...syntheticIncidents({ places, seed: 1, count: 500, from: until - 30 * DAY, until })])
  })
  after(() => stand?.[Symbol.asyncDispose]())

  const weight = (paths: RegExp) =>
    stand.sent.filter(({ path }) => paths.test(path)).reduce((total, { bytes }) => total + bytes, 0)
  const hasCome = (path: RegExp) => until(() => stand.sent.some((one) => path.test(one.path)), String(path))

  it('lets the newest be read after 80 KB, before the map’s library has come', async () => {
    stand.sent.length = 0
    await using opened = await stand.open('/', {}, (page) => page.route(/maplibre/, (route) => route.abort()))
    await until(async () => (await opened.page.locator('.app .rows .row').count()) === 50, 'the list')
    await hasCome(/^\/v1\/stats/)
    const bytes = weight(/^\/$|\/main-/)
    assert.ok(bytes > 10 * KILOBYTE && bytes <= MOST_BEFORE_READING, `${bytes} bytes`)
  })

  it('is at most 480 KB with the map, of which our own scripts are at most 60', async (context) => {
    stand.sent.length = 0
    await using opened = await stand.open()
    await mapIsThere(opened.page)
    for (const path of [/\/maplibre-gl-worker/, /^\/v1\/tiles/, /states\.geojson/, /group_by=day/]) await hasCome(path)
    const own = weight(/\/(main|start)-.*\.js$/)
    const all = weight(/./)
    context.diagnostic(`${all} bytes in all, ${own} of them our own scripts, ${weight(/^\/$|\/main-/)} before reading`)
    assert.ok(own > 10 * KILOBYTE && own <= MOST_OWN_SCRIPTS, `${own} bytes of our own scripts`)
    assert.ok(all > 300 * KILOBYTE && all <= MOST_IN_ALL, `${all} bytes in all`)
  })
})
