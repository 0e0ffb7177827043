import assert from 'node:assert/strict'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import type { Page } from 'playwright-core'
import { until } from '../../support/app.ts'
import { skipBrowser } from '../../support/browser.ts'
import { type BrowserFixture, LAGOS, minutesAgo, startBrowserFixture } from '../browser-fixture.ts'

const ABUJA_KADUNA = '7.49,9.06;7.38,9.68;7.44,10.52'
const KADUNA = { latitude: 10.52, longitude: 7.44 }

const address = (page: Page) => new URL(page.url()).searchParams
const zoomIn = (page: Page) => Number(address(page).get('at')?.split('/')[0])
const rows = (page: Page) => page.locator('.rows .row').count()
const legend = (page: Page) => page.locator('.state-legend li').allInnerTexts()

describe('the ground of the map and what can be chosen on it', {
  skip: skipBrowser(),
  timeout: 600_000,
}, () => {
  let fixture: BrowserFixture
  let folder: string
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'ground-'))
    const roads = join(folder, 'roads.geojson')
    const coordinates = ABUJA_KADUNA.split(';').map((point) => point.split(',').map(Number))
    const road = { type: 'Feature', properties: { highway: 'trunk' }, geometry: { type: 'LineString', coordinates } }
    await writeFile(roads, JSON.stringify({ type: 'FeatureCollection', features: [road] }))
    fixture = await startBrowserFixture({ MAP_ROADS: roads })
    await fixture.app.publish([
      // On the road, near it, and 90 km from it.
      minutesAgo(100, 1, { lat: 9.68, lng: 7.38 }),
      minutesAgo(200, 2, { lat: 10.3, lng: 7.47 }),
      minutesAgo(300, 3, { lat: 10.1, lng: 8.3 }),
      ...Array.from({ length: 12 }, (_, index) => minutesAgo(400 + index, 10 + index, LAGOS)),
    ])
  })
  after(async () => {
    await fixture?.[Symbol.asyncDispose]()
    await rm(folder, { recursive: true })
  })

  it('loads the ground with the map, its detail only when zoomed in, the roads of the operator, and shows a scale', async () => {
    fixture.sent.length = 0
    const isSent = (path: RegExp) => fixture.sent.some((one) => path.test(one.path))
    const { page, problems } = await fixture.showMap()
    await until(() => isSent(/\/ground-[^d]/) && isSent(/roads\.geojson/), 'the ground and the roads')
    assert.ok(!isSent(/\/ground-detail-/), 'no detail yet')
    assert.match(await page.locator('.maplibregl-ctrl-scale').innerText(), /^\d+\skm$/)
    assert.match(await page.locator('.maplibregl-ctrl-attrib').innerText(), /Natural Earth/)
    for (let step = 0; step < 3; step++) await page.getByRole('button', { name: 'Zoom in' }).click()
    await until(() => isSent(/\/ground-detail-/), 'the detail')
    assert.deepEqual(problems, [])
  })

  it('moves to a chosen state, and back with the back button', async () => {
    const { page } = await fixture.showMap()
    await page.getByRole('button', { name: 'State', exact: true }).click()
    await page.getByRole('checkbox', { name: /Lagos 12/ }).check()
    await until(() => address(page).get('state') === 'NG-LA' && zoomIn(page) > 7, 'the state, near')
    await until(async () => (await rows(page)) === 12, 'its incidents')
    await page.goBack()
    await until(() => !address(page).has('state') && !address(page).has('at'), 'all of Nigeria')
  })

  it('shows the states in classes with their numbers, and opens one with a tap', async () => {
    const { page } = await fixture.showMap('/?layer=states')
    await until(async () => (await legend(page)).join() === '3–9,10–12', 'the classes')
    const box = (await page.locator('.map canvas').boundingBox())!
    // All of Nigeria is shown: Kaduna's middle lies left of the map's middle, a little above it.
    await page.mouse.click(box.x + box.width * 0.44, box.y + box.height * 0.42)
    await until(() => address(page).has('state') && zoomIn(page) > 6, 'a state')
    assert.deepEqual(await legend(page), ['3–9', '10–12'], 'the other states are still counted')
  })

  it('lists what lies along a road, in the list and in its figures', async () => {
    const { page, problems } = await fixture.showMap(`/?road=${ABUJA_KADUNA}&buffer_km=10`)
    await until(async () => (await rows(page)) === 2, 'the two along the road')
    await page.getByRole('button', { name: 'Along a road' }).click()
    await page.getByText('2 incidents within 10 km of the road').waitFor()
    await page.getByRole('region', { name: 'Along a road' }).getByText('5 km', { exact: true }).click()
    await until(() => address(page).get('buffer_km') === '5', 'a narrower road')
    await page.getByRole('button', { name: 'Remove the road' }).click()
    await until(() => !address(page).has('road'), 'no road')
    await page.getByRole('button', { name: 'Along a road' }).click()
    assert.deepEqual(problems, [])
  })

  it('makes a road of towns', async () => {
    const { page } = await fixture.showMap()
    await page.getByRole('button', { name: 'Along a road' }).click()
    const panel = page.getByRole('region', { name: 'Along a road' })
    for (const town of ['Abuja', 'Zaria']) {
      await panel.getByRole('combobox').fill(town)
      await panel.getByRole('option', { name: town }).first().click()
    }
    await until(() => address(page).get('road')?.split(';').length === 2, 'the road')
    assert.equal(address(page).get('buffer_km'), '5')
  })

  it('shows what is near the reader, with a choice of distance', async () => {
    const { page } = await fixture.showMap()
    await page.context().grantPermissions(['geolocation'])
    await page.context().setGeolocation(KADUNA)
    await page.getByRole('button', { name: 'Near me' }).click()
    await page.getByRole('button', { name: 'Use my position' }).click()
    await until(() => address(page).get('near') === '10.52,7.44', 'the position')
    await until(async () => (await rows(page)) === 1, 'the one within 25 km')
    await page.getByRole('region', { name: 'Near me' }).getByText('100 km', { exact: true }).click()
    await until(async () => (await rows(page)) === 2, 'the two within 100 km')
  })

  it('says what to do where the browser refuses the position', async () => {
    await using opened = await fixture.openSavingData()
    const { page } = opened
    await page.getByRole('button', { name: 'Near me' }).click()
    await page.getByRole('button', { name: 'Use my position' }).click()
    await page.getByText(/Your browser did not allow it/).waitFor()
    assert.ok(!address(page).has('near'))
  })
})
