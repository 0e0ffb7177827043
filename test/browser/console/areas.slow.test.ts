import assert from 'node:assert/strict'
import { after, afterEach, before, describe, it } from 'node:test'
import type { Browser, Page } from 'playwright-core'
import { startTestApp, type TestApp } from '../../support/app.ts'
import { releaseBrowser, sharedBrowser, skipBrowser } from '../../support/browser.ts'
import { anIncident } from '../../support/incident.ts'
import { startEndpoint, type TestEndpoint } from '../../support/receivers.ts'
import { assertAccessible, assertAccessibleIn } from '../browser-fixture.ts'
import { AROUND_KADUNA, draw, openConsole, openConsoleWithoutMaps, signUp } from './developer.ts'

interface Listed {
  readonly data: readonly {
    readonly id: string
    readonly filter: Record<string, unknown>
    readonly headers: Record<string, string>
    readonly watches: number
  }[]
}

describe('areas and headers at the console', { skip: skipBrowser() }, () => {
  let app: TestApp
  let endpoint: TestEndpoint
  let browser: Browser
  before(async () => {
    app = await startTestApp({ WEBHOOK_ALLOW_PRIVATE: 'true', SIGNUPS_PER_HOUR: '1000' })
    endpoint = await startEndpoint()
    browser = await sharedBrowser()
    await app.publish([anIncident(1, { published_at: new Date().toISOString() })])
  })
  afterEach(async () => {
    for (const context of browser.contexts()) await context.close()
    endpoint.messages.length = 0
  })
  after(async () => {
    await releaseBrowser()
    await app?.[Symbol.asyncDispose]()
    await endpoint?.[Symbol.asyncDispose]()
  })
  const listed = async (path: string, key: string) => ((await (await app.get(path, key)).json()) as Listed).data

  it('draws, names, uses, renames and deletes a saved area', async () => {
    const { page, problems } = await openConsole(browser, app.url)
    const key = await signUp(page, 'areas@example.org')
    await page.getByRole('link', { name: 'Areas', exact: true }).click()
    await page.getByRole('button', { name: 'Save your first area' }).click()
    await page.getByText('Draw the area first.').waitFor()
    await page.getByLabel('Name').fill('Kaduna roads')
    await draw(page, 'Draw an area', AROUND_KADUNA)
    await page.getByText('An area with 4 corners').waitFor()
    await page.getByRole('button', { name: 'Save the area' }).click()
    await page.getByRole('cell', { name: 'no watch' }).waitFor()
    const [area] = await listed('/v1/areas', key)

    await page.goto(`${app.url}/console?view=watches&watch=new`)
    await page.getByLabel('Name').fill('In the area')
    await page.getByLabel('Address of your endpoint').fill(endpoint.url)
    await page.getByLabel('Saved area').selectOption('Kaduna roads')
    await page.getByText('Kaduna roads: an area with 4 corners').waitFor()
    await page.getByText('1 message, about one in 30 days').waitFor()
    await page.getByRole('button', { name: 'Make the watch' }).click()
    await page.getByText('in a saved area').waitFor()
    const [watch] = await listed('/v1/watches', key)
    assert.deepEqual(watch!.filter, { area: area!.id })

    // An edited watch keeps its area, and drawing another replaces it.
    await page.getByRole('button', { name: 'Edit' }).click()
    await page.getByText('Kaduna roads: an area with 4 corners').waitFor()
    assert.equal(await page.getByLabel('Saved area').inputValue(), area!.id)
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    await page.getByRole('heading', { name: 'In the area' }).waitFor()
    assert.deepEqual((await listed('/v1/watches', key))[0]!.filter, { area: area!.id })

    await page.getByRole('link', { name: 'Areas', exact: true }).click()
    await page.getByRole('cell', { name: 'one watch' }).waitFor()
    await page.getByRole('button', { name: 'Delete Kaduna roads' }).click()
    await page.getByRole('button', { name: 'Delete it' }).click()
    await page.getByRole('alert').filter({ hasText: 'Watches use this area' }).waitFor()
    await page.getByRole('button', { name: 'Cancel' }).click()
    await page.getByRole('link', { name: 'Kaduna roads' }).click()
    await page.getByText('One watch looks in it').waitFor()
    await page.getByLabel('Name').fill('Kaduna north')
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    await page.getByRole('link', { name: 'Kaduna north' }).waitFor()

    await app.delete(`/v1/watches/${watch!.id}`, key)
    await page.reload()
    await page.getByRole('button', { name: 'Delete Kaduna north' }).click()
    await page.getByRole('button', { name: 'Delete it' }).click()
    await page.getByRole('button', { name: 'Save your first area' }).waitFor()
    assert.deepEqual(await listed('/v1/areas', key), [])
    assert.deepEqual(
      problems.filter((problem) => !problem.includes('409')),
      [],
    )
  })

  it('says in words why an area cannot be saved', async () => {
    const { page } = await openConsoleWithoutMaps(browser, app.url)
    const key = await signUp(page, 'twice@example.org')
    await app.post('/v1/areas', { name: 'Depot', circle: { lat: 10, lng: 7, radius_km: 5 } }, key)
    await page.goto(`${app.url}/console?view=areas&area=new`)
    await page.getByLabel('Name').fill('Depot')
    await page.getByText('Write it as numbers').click()
    await page.getByLabel('Shape').selectOption('Circle')
    await page.getByLabel('Middle: latitude, longitude').fill('10.52, 7.44')
    await page.getByRole('button', { name: 'Use these numbers' }).click()
    await page.getByRole('button', { name: 'Save the area' }).click()
    await page.getByRole('alert').filter({ hasText: 'another area with the name "Depot"' }).waitFor()
    assert.equal(await page.getByLabel('Name').inputValue(), 'Depot')
  })

  it('sends headers of the owner, shows none of their values again, and keeps those that stay', async () => {
    const { page } = await openConsoleWithoutMaps(browser, app.url)
    const key = await signUp(page, 'headers@example.org')
    await page.goto(`${app.url}/console?view=watches&watch=new`)
    await page.getByLabel('Name').fill('With a token')
    await page.getByLabel('Address of your endpoint').fill(endpoint.url)
    await page.getByRole('button', { name: 'Add a header' }).click()
    await page.getByLabel('Name of header 1').fill('X-Token')
    await page.getByRole('button', { name: 'Make the watch' }).click()
    await page.getByRole('alert').filter({ hasText: 'The header X-Token has no value.' }).waitFor()
    await page.getByLabel('Value of X-Token').fill('very-secret')
    await page.getByRole('button', { name: 'Add a header' }).click()
    await page.getByLabel('Name of header 2').fill('Host')
    await page.getByLabel('Value of Host').fill('evil.example')
    await page.getByRole('button', { name: 'Make the watch' }).click()
    await page.getByRole('alert').filter({ hasText: 'the service sets it from the URL' }).waitFor()
    await page.getByLabel('Name of header 2').fill('X-Team')
    await page.getByLabel('Value of X-Team').fill('roads')
    await page.getByRole('button', { name: 'Make the watch' }).click()
    await page.getByText('X-Token, X-Team').waitFor()
    await page.getByRole('button', { name: 'Send a test' }).click()
    await page.getByText('Status 204').waitFor()
    const sent = () => {
      const { headers } = endpoint.messages.at(-1)!
      return [headers['x-token'], headers['x-team']]
    }
    assert.deepEqual(sent(), ['very-secret', 'roads'])

    await page.reload()
    await page.getByRole('button', { name: 'Edit' }).click()
    await page.getByLabel('Name of header 1').waitFor()
    assert.ok(!(await page.content()).includes('very-secret'), 'the value is shown again')
    assert.equal(await page.getByLabel('Value of X-Token').inputValue(), '')
    await page.getByLabel('Value of X-Team').fill('convoys')
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    await page.getByRole('button', { name: 'Send a test' }).click()
    await page.getByText('Status 204').waitFor()
    assert.deepEqual(sent(), ['very-secret', 'convoys'])

    await page.getByRole('button', { name: 'Edit' }).click()
    await page.getByRole('button', { name: 'Remove X-Token' }).click()
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    await page.getByRole('button', { name: 'Send a test' }).click()
    await page.getByText('Status 204').waitFor()
    assert.deepEqual(sent(), [undefined, 'convoys'])
    assert.deepEqual((await listed('/v1/watches', key))[0]!.headers, { 'X-Team': '***' })
  })

  it('has no barrier that axe finds, and fits every width in both themes', async () => {
    const { page, problems } = await openConsole(browser, app.url)
    const wanted = [
      [390, 'dark'],
      [1440, 'light'],
    ] as const
    const check = (what: string) => assertAccessibleIn(page, wanted, what)
    const key = await signUp(page, 'axe@example.org')
    await page.goto(`${app.url}/console?view=areas`)
    await page.getByRole('button', { name: 'Save your first area' }).waitFor()
    await check('no areas')
    await app.post('/v1/areas', { name: 'Depot', circle: { lat: 10, lng: 7, radius_km: 5 } }, key)
    await page.reload()
    await page.getByRole('link', { name: 'Depot' }).waitFor()
    await check('areas')
    await page.getByRole('link', { name: 'Depot' }).click()
    await page.locator('.area-map[aria-busy=false]').waitFor({ timeout: 60_000 })
    await check('the form of an area')
    await page.goto(`${app.url}/console?view=watches&watch=new`)
    await page.getByLabel('Saved area').selectOption('Depot')
    await page.getByRole('button', { name: 'Add a header' }).click()
    await page.locator('.area-map[aria-busy=false]').waitFor({ timeout: 60_000 })
    await check('the form of a watch')
    assert.deepEqual(problems, [])
  })
})

const CSV = 'name,latitude,longitude,radius_km,reference\nDepot Kaduna,10.52,7.44,25,KD-1\nYard,10.6,7.5,5,\n'

const choose = (page: Page, name: string, text: string) =>
  page
    .getByLabel('File: CSV or GeoJSON')
    .setInputFiles({ name, mimeType: 'application/octet-stream', buffer: Buffer.from(text) })

describe('lists of sites at the console', { skip: skipBrowser() }, () => {
  let app: TestApp
  let browser: Browser
  let endpoint: TestEndpoint
  before(async () => {
    app = await startTestApp({ WEBHOOK_ALLOW_PRIVATE: 'true', SIGNUPS_PER_HOUR: '1000' })
    browser = await sharedBrowser()
    endpoint = await startEndpoint()
    await app.publish([anIncident(1, { lat: 10.5, lng: 7.4, published_at: new Date().toISOString() })])
  })
  after(async () => {
    await releaseBrowser()
    await app?.[Symbol.asyncDispose]()
    await endpoint?.[Symbol.asyncDispose]()
  })
  const listed = async (path: string, key: string) =>
    ((await (await app.get(path, key)).json()) as { data: { id: string; filter?: object; size?: number }[] }).data

  it('uploads a file, says what is wrong with it, shows it, watches it, replaces and deletes it', async () => {
    const { page, problems } = await openConsole(browser, app.url)
    const check = (what: string) => assertAccessible(page, what)
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
