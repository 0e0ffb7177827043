import assert from 'node:assert/strict'
import { after, afterEach, before, describe, it } from 'node:test'
import type { Browser, Locator, Page } from 'playwright-core'
import { Webhook } from 'standardwebhooks'
import { startTestApp, type TestApp, until } from '../../support/app.ts'
import { releaseBrowser, sharedBrowser, skipBrowser } from '../../support/browser.ts'
import { anIncident } from '../../support/incident.ts'
import { startEndpoint, type TestEndpoint } from '../../support/receivers.ts'
import { assertAccessibleIn } from '../browser-fixture.ts'
import { AROUND_KADUNA, draw, openConsole, openConsoleWithoutMaps, signUp } from './developer.ts'

/** An incident in Kaduna that was published just now. */
function recent(number: number) {
  return anIncident(number, { published_at: new Date().toISOString() })
}

async function fillWatch(page: Page, name: string, url: string): Promise<void> {
  await page.goto(`${new URL(page.url()).origin}/console?view=watches&watch=new`)
  await page.getByLabel('Name').fill(name)
  await page.getByLabel('Address of your endpoint').fill(url)
}

describe('a developer at the console', { skip: skipBrowser() }, () => {
  let app: TestApp
  let endpoint: TestEndpoint
  let browser: Browser
  before(async () => {
    app = await startTestApp({ WEBHOOK_ALLOW_PRIVATE: 'true', SIGNUPS_PER_HOUR: '1000', WATCHES_PER_ACCOUNT: '2' })
    endpoint = await startEndpoint()
    browser = await sharedBrowser()
    await app.publish([recent(1)])
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

  it('goes from the map to a key, an answer, a drawn watch, a test, its payload and a resend', async () => {
    const { page, problems } = await openConsole(browser, app.url, '/')
    await page.getByRole('link', { name: 'For developers' }).first().click()
    await signUp(page, 'story@example.org')
    await page.getByRole('button', { name: 'Run it' }).click()
    await page.getByText('Status 200').waitFor()

    await page.getByRole('link', { name: 'Watches' }).click()
    await page.getByRole('button', { name: 'Make your first watch' }).click()
    await page.getByLabel('Name').fill('Around Kaduna')
    await page.getByLabel('Address of your endpoint').fill(endpoint.url)
    await draw(page, 'Draw an area', AROUND_KADUNA)
    await page.getByText('An area with 4 corners').waitFor()
    await page.getByText('1 message, about one in 30 days').waitFor()
    await page.getByRole('link', { name: anIncident().summary }).waitFor()
    await page.getByRole('button', { name: 'Make the watch' }).click()
    await page.getByText('The secret of this watch').waitFor()
    const secret = (await page.locator('.secret').textContent())!

    endpoint.answer = (response) => response.writeHead(202).end('noted')
    await page.getByRole('button', { name: 'Send a test' }).click()
    await page.getByText('Status 202').waitFor()
    await page.getByLabel('What your endpoint said').getByText('noted').waitFor()
    const [test] = endpoint.messages
    new Webhook(secret).verify(test!.body, test!.headers as Record<string, string>)
    await page.getByRole('link', { name: 'See what was sent' }).click()
    const shown = await page.getByLabel('The message', { exact: true }).textContent()
    assert.deepEqual(JSON.parse(shown!), JSON.parse(test!.body))

    // A real incident within the drawn area, sent, seen in the log and sent again.
    const second = recent(2)
    await app.publish([second])
    await until(() => endpoint.messages.length === 2, 'the message')
    await page.getByRole('link', { name: 'Deliveries', exact: true }).click()
    await page.getByLabel('Status').selectOption('delivered')
    // The endpoint has a message before its result is recorded.
    const refreshUntil = (shown: Locator) =>
      until(async () => {
        await page.getByRole('button', { name: 'Refresh' }).click()
        return (await shown.count()) > 0
      }, 'what was recorded')
    const row = page.locator('tbody tr', { hasText: second.id })
    await refreshUntil(row)
    await row.getByRole('link', { name: 'incident.created' }).click()
    await page.getByRole('button', { name: 'Send it again' }).click()
    await until(() => endpoint.messages.length === 3, 'the message sent again')
    assert.equal(endpoint.messages[2]!.headers['webhook-id'], endpoint.messages[1]!.headers['webhook-id'])
    await refreshUntil(page.getByText('Attempt 2'))

    // All that a filter matches: the real message, not the test.
    await page.getByRole('link', { name: 'All deliveries' }).click()
    await page.getByRole('button', { name: 'Send all of these again' }).click()
    await page.getByText('2 messages.', { exact: true }).waitFor()
    await page.getByRole('button', { name: 'Send them again' }).click()
    await page.getByText('1 sent again. Left out: 1 test.').waitFor()
    await until(() => endpoint.messages.length === 4, 'the message sent a third time')
    assert.deepEqual(problems, [])
  })

  it('draws circles and roads, and takes the same as numbers from the keyboard', async () => {
    const { page } = await openConsole(browser, app.url)
    await signUp(page, 'shapes@example.org')
    await fillWatch(page, 'Shapes', endpoint.url)
    await draw(page, 'Draw a circle', [
      [0.5, 0.4],
      [0.55, 0.4],
    ])
    await page.getByText(/^\d[\d.]* km around a point/).waitFor()
    await draw(page, 'Draw a road', [
      [0.45, 0.3],
      [0.5, 0.4],
      [0.55, 0.5],
      [0.55, 0.5],
    ])
    await page.getByText('5 km on both sides of a road of 3 points').waitFor()
    await page.getByText('Write it as numbers').press('Enter')
    await page.getByLabel('Points').fill('10.5, 7.4\nKaduna')
    await page.getByRole('button', { name: 'Use these numbers' }).press('Enter')
    await page.getByRole('alert').filter({ hasText: 'Line 2 is not a latitude and a longitude' }).waitFor()
    await page.getByLabel('Points').fill('9.06, 7.49\n10.52, 7.44')
    await page.getByLabel('Distance from the road in km').fill('25')
    await page.getByRole('button', { name: 'Use these numbers' }).press('Enter')
    await page.getByText('25 km on both sides of a road of 2 points').waitFor()
    await page.getByRole('button', { name: 'Make the watch' }).click()
    await page.getByText('along a road').waitFor()

    // The saved shape comes back as it was drawn.
    await page.getByRole('button', { name: 'Edit' }).click()
    await page.getByText('25 km on both sides of a road of 2 points').waitFor()
    await page.getByLabel('States').fill('Kaduna')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByText('Kaduna · along a road').waitFor()
  })

  it('says what is wrong with an endpoint, a name and a limit, and keeps what was entered', async () => {
    const { page } = await openConsoleWithoutMaps(browser, app.url)
    const key = await signUp(page, 'wrong@example.org')
    await fillWatch(page, 'First', 'ftp://example.org/hook')
    await page.getByRole('button', { name: 'Make the watch' }).click()
    await page.getByRole('alert').filter({ hasText: 'http' }).waitFor()
    await page.getByLabel('States').fill('Kadunna')
    await page.getByLabel('States').press('Enter')
    await page.getByLabel('Address of your endpoint').fill(endpoint.url)
    await page.getByRole('button', { name: 'Make the watch' }).click()
    await page.getByRole('alert').filter({ hasText: 'Did you mean Kaduna?' }).first().waitFor()
    await page.getByRole('button', { name: 'Remove Kadunna from States' }).click()

    // The session ends while the form is open: it is kept, and signing in again goes on.
    await page.context().clearCookies()
    await page.getByRole('button', { name: 'Make the watch' }).click()
    await page.getByText('Your session has ended').waitFor()
    await page.getByLabel('Key', { exact: true }).fill(key)
    await page.getByRole('button', { name: 'Sign in with a key' }).click()
    await page.getByText('Your session has ended').waitFor({ state: 'detached' })
    assert.equal(await page.getByLabel('Name').inputValue(), 'First')
    await page.getByRole('button', { name: 'Make the watch' }).click()
    await page.getByText('The secret of this watch').waitFor()

    await fillWatch(page, 'First', endpoint.url)
    await page.getByRole('button', { name: 'Make the watch' }).click()
    await page.getByRole('alert').filter({ hasText: 'First' }).waitFor()
    await page.getByLabel('Name').fill('Second')
    await page.getByRole('button', { name: 'Make the watch' }).click()
    await page.getByText('The secret of this watch').waitFor()
    await fillWatch(page, 'Third', endpoint.url)
    await page.getByRole('button', { name: 'Make the watch' }).click()
    await page.getByRole('alert').filter({ hasText: '2 watches' }).waitFor()
  })

  it('shows the stream as it comes, with filters, a pause and a way to clear', async () => {
    const { page } = await openConsole(browser, app.url)
    await signUp(page, 'live@example.org')
    await page.getByRole('link', { name: 'Live', exact: true }).click()
    await page.getByText('Waiting for the next incident').waitFor()
    await app.publish([recent(11)])
    await page.locator('.tail li').waitFor()
    await page.getByRole('button', { name: 'Pause' }).click()
    await app.publish([recent(12)])
    await page.getByRole('button', { name: 'Go on (1 new)' }).click()
    await page.locator('.tail li').nth(1).waitFor()
    await page.locator('.tail summary').first().click()
    assert.ok((await page.locator('.tail .code').first().textContent())!.includes(recent(12).id))
    await page.getByRole('button', { name: 'Clear' }).click()
    const reconnected = page.waitForResponse((response) => response.url().endsWith('/v1/stream?state=Lagos'))
    await page.getByLabel('State').selectOption('Lagos')
    await reconnected
    await page.getByText('Listening').waitFor()
    await app.publish(
      [recent(13), recent(14)].map((incident, index) =>
        index === 0
          ? incident
          : {
              ...incident,
              state: 'Lagos',
              lga: 'Ikeja',
              lat: 6.6,
              lng: 3.35,
              location: { ...incident.location, state_code: 'NG-LA', lga_code: 'NG-LA-IKEJA' },
            },
      ),
    )
    await page.locator('.tail li').waitFor()
    await page.locator('.tail summary').first().click()
    assert.ok((await page.locator('.tail').textContent())!.includes('Lagos'))
    assert.equal(await page.locator('.tail li').count(), 1)
  })

  it('pauses, resumes, replaces the secret and deletes; another account sees none of it', async () => {
    const { page } = await openConsoleWithoutMaps(browser, app.url)
    await signUp(page, 'owner@example.org')
    await fillWatch(page, 'Mine alone', endpoint.url)
    await page.getByRole('button', { name: 'Make the watch' }).click()
    await page.getByText('The secret of this watch').waitFor()
    const first = await page.locator('.secret').textContent()
    await page.getByRole('button', { name: 'Send a test' }).click()
    await page.getByRole('link', { name: 'See what was sent' }).click()
    await page.getByRole('heading', { name: 'What was sent' }).waitFor()
    const delivery = page.url()
    await page.goBack()
    await page.getByRole('button', { name: 'Pause' }).click()
    await page.getByText('nothing is sent until you resume it').waitFor()
    await page.getByRole('button', { name: 'Resume' }).click()
    await page.getByRole('button', { name: 'Pause' }).waitFor()
    await page.getByRole('button', { name: 'New secret' }).click()
    await page.getByRole('button', { name: 'Make it' }).click()
    await page.locator('.secret').filter({ hasNotText: first! }).waitFor()
    const watch = page.url()

    const other = await openConsole(browser, app.url)
    await signUp(other.page, 'other@example.org')
    await other.page.goto(watch)
    await other.page.getByRole('alert').filter({ hasText: 'no such watch' }).waitFor()
    await other.page.goto(delivery)
    await other.page.getByRole('alert').filter({ hasText: 'no such' }).waitFor()
    await other.page.getByRole('link', { name: 'Watches' }).click()
    await other.page.getByText('Be told the moment something happens').waitFor()
    assert.ok(!(await other.page.content()).includes('Mine alone'))

    await page.getByRole('button', { name: 'Delete' }).click()
    await page.getByRole('button', { name: 'Delete it' }).click()
    await page.getByText('Be told the moment something happens').waitFor()
  })

  it('has no barrier that axe finds, and fits every width in both themes', async () => {
    const { page } = await openConsole(browser, app.url)
    const wanted = [
      [390, 'light'],
      [1024, 'light'],
      [1440, 'dark'],
    ] as const
    const check = (what: string) => assertAccessibleIn(page, wanted, what)
    await signUp(page, 'axe@example.org')
    await page.goto(`${app.url}/console?view=deliveries`)
    await page.getByText('Nothing has been sent yet').waitFor()
    await check('the empty log')
    await fillWatch(page, 'Axe', endpoint.url)
    await page.locator('.area-map[aria-busy=false]').waitFor({ timeout: 60_000 })
    await page.getByLabel('States').fill('Kaduna')
    await page.getByText(/messages?, about one in/).waitFor()
    await check('the form')
    await page.getByRole('button', { name: 'Make the watch' }).click()
    await page.getByRole('button', { name: 'Send a test' }).click()
    await page.getByRole('link', { name: 'See what was sent' }).waitFor()
    await check('a watch')
    await page.getByRole('link', { name: 'See what was sent' }).click()
    await page.getByRole('heading', { name: 'What was sent' }).waitFor()
    await check('a delivery')
    await page.getByRole('link', { name: 'Deliveries', exact: true }).click()
    await page.locator('tbody tr').waitFor()
    await check('the log')
    await page.getByRole('link', { name: 'Watches' }).click()
    await page.locator('tbody tr').waitFor()
    await check('watches')
    await page.getByRole('link', { name: 'Account' }).click()
    await page.getByText('this browser').waitFor()
    await check('the account')
    await page.getByRole('link', { name: 'Live', exact: true }).click()
    await page.getByText('Listening').waitFor()
    await check('the stream')
  })
})
