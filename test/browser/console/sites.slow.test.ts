import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import type { Browser, Page } from 'playwright-core'
import { startTestApp, type TestApp } from '../../support/app.ts'
import { browserMissing, launchBrowser } from '../../support/browser.ts'
import { anIncident } from '../../support/incident.ts'
import { startEndpoint, type TestEndpoint } from '../../support/receivers.ts'
import { axeViolations, openConsole, signUp } from './developer.ts'

const CSV = 'name,latitude,longitude,radius_km,reference\nDepot Kaduna,10.52,7.44,25,KD-1\nYard,10.6,7.5,5,\n'

const choose = (page: Page, name: string, text: string) =>
  page
    .getByLabel('File: CSV or GeoJSON')
    .setInputFiles({ name, mimeType: 'application/octet-stream', buffer: Buffer.from(text) })

describe('lists of sites at the console', { skip: browserMissing() ?? false, timeout: 300_000 }, () => {
  let app: TestApp
  let browser: Browser
  let endpoint: TestEndpoint
  before(async () => {
    app = await startTestApp({ WEBHOOK_ALLOW_PRIVATE: 'true', SIGNUPS_PER_HOUR: '1000' })
    browser = await launchBrowser()
    endpoint = await startEndpoint()
    await app.publish([anIncident(1, { lat: 10.5, lng: 7.4, published_at: new Date().toISOString() })])
  })
  after(async () => {
    await browser?.close()
    await app?.[Symbol.asyncDispose]()
    await endpoint?.[Symbol.asyncDispose]()
  })
  const listed = async (path: string, key: string) =>
    ((await (await app.get(path, key)).json()) as { data: { id: string; filter?: object; size?: number }[] }).data

  it('uploads a file, says what is wrong with it, shows it, watches it, replaces and deletes it', async () => {
    const { page, problems } = await openConsole(browser, app.url)
    const check = async (what: string) => {
      assert.deepEqual(await axeViolations(page), [], what)
      const wide = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)
      assert.ok(wide <= 0, `${what} is ${wide} px wider than the page`)
    }
    const key = await signUp(page, 'sites@example.org')
    await page.getByRole('link', { name: 'Sites', exact: true }).click()
    await page.getByRole('button', { name: 'Upload your first list' }).click()
    await choose(page, 'north_depots.csv', CSV.replace('10.52', 'ten').replace(',5,', ',500,'))
    assert.equal(await page.getByLabel('Name of the list').inputValue(), 'north depots')
    await page.getByRole('button', { name: 'Upload' }).click()
    await page
      .getByRole('listitem')
      .filter({ hasText: 'line 2: latitude must be a number in degrees, not "ten"' })
      .waitFor()
    await page.getByText('line 3: radius_km must be a number above 0 and up to 100, not 500').waitFor()
    await check('the form with errors')
    assert.deepEqual(await listed('/v1/sites', key), [])
    await choose(page, 'north_depots.csv', CSV)
    await page.getByRole('button', { name: 'Upload' }).click()
    await page.getByRole('heading', { name: 'north depots' }).waitFor()
    await page.getByText('2 sites, used by no watch. 1 incident near them in the last 30 days.').waitFor()
    await page.getByRole('cell', { name: 'Depot Kaduna' }).waitFor()
    await page.locator('.sites-map[aria-busy=false]').waitFor({ timeout: 60_000 })

    await page.getByRole('button', { name: 'Watch these sites' }).click()
    await page.getByText('north depots: near each of them, within its radius').waitFor()
    await page.getByText('1 message, about one in 30 days').waitFor()
    await page.getByLabel('Name', { exact: true }).fill('Near the depots')
    await page.getByLabel('Address of your endpoint').fill(endpoint.url)
    await page.getByRole('button', { name: 'Make the watch' }).click()
    await page.getByText('near your sites').waitFor()
    const [list] = await listed('/v1/sites', key)
    const [watch] = await listed('/v1/watches', key)
    assert.deepEqual(watch!.filter, { sites: list!.id })

    // A phone, in the dark.
    await page.setViewportSize({ width: 390, height: 844 })
    await page.emulateMedia({ colorScheme: 'dark' })
    await page.getByRole('link', { name: list!.id }).click()
    await page.getByText('used by one watch').waitFor()
    await page.locator('.sites-map[aria-busy=false]').waitFor({ timeout: 60_000 })
    await check('a list on a phone')
    await page.getByRole('button', { name: 'Replace the sites' }).click()
    const point = { type: 'Point', coordinates: [3.38, 6.5] }
    const feature = { type: 'Feature', geometry: point, properties: { name: 'Port', radius_km: 3 } }
    await choose(page, 'port.geojson', JSON.stringify({ type: 'FeatureCollection', features: [feature] }))
    await check('the dialog on a phone')
    await page.getByRole('button', { name: 'Replace them' }).click()
    await page.getByText('1 site, used by one watch. 0 incidents near them').waitFor()
    await page.getByRole('cell', { name: 'Port' }).waitFor()
    await page.getByRole('button', { name: 'Delete' }).click()
    await page.getByRole('button', { name: 'Delete it' }).click()
    await page.getByRole('alert').filter({ hasText: 'Watches use this list' }).waitFor()
    await page.getByRole('button', { name: 'Cancel' }).click()
    await app.delete(`/v1/watches/${watch!.id}`, key)
    await page.getByRole('button', { name: 'Delete' }).click()
    await page.getByRole('button', { name: 'Delete it' }).click()
    await page.getByRole('button', { name: 'Upload your first list' }).waitFor()
    await check('no lists on a phone')
    assert.deepEqual(await listed('/v1/sites', key), [])
    assert.deepEqual(
      problems.filter((problem) => !/409|422/.test(problem)),
      [],
    )
  })
})
