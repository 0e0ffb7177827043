import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import type { Browser, Page } from 'playwright-core'
import { aBrowser } from '../../deliveries/fixtures.ts'
import { startTestApp, type TestApp, until } from '../../support/app.ts'
import { launchBrowser, releaseBrowser, sharedBrowser, skipBrowser } from '../../support/browser.ts'
import { anIncident } from '../../support/incident.ts'
import { type Receiver, receive, startEndpoint, type TestEndpoint } from '../../support/receivers.ts'
import { assertAccessible, axeViolations, pushService, shownNotifications, subscribeWith } from '../browser-fixture.ts'
import { openConsole, signUp } from './developer.ts'

const ACCEPT: TestEndpoint['answer'] = (response) => response.writeHead(204).end()
const REFUSE: TestEndpoint['answer'] = (response) => response.writeHead(500).end('closed')

/** Makes a watch through the API, with the session of the page. Returns its id. */
async function makeWatch(page: Page, body: object): Promise<string> {
  const response = await page.request.post(new URL('/v1/watches', page.url()).href, {
    data: body,
    headers: { origin: new URL(page.url()).origin },
  })
  assert.equal(response.status(), 201, await response.text())
  return ((await response.json()) as { id: string }).id
}

describe('the messages of a watch at the console', { skip: skipBrowser() }, () => {
  let app: TestApp
  let endpoint: TestEndpoint
  let browser: Browser
  before(async () => {
    app = await startTestApp({ WEBHOOK_ALLOW_PRIVATE: 'true', SIGNUPS_PER_HOUR: '1000' })
    endpoint = await startEndpoint()
    browser = await sharedBrowser()
  })
  after(async () => {
    await releaseBrowser()
    await app?.[Symbol.asyncDispose]()
    await endpoint?.[Symbol.asyncDispose]()
  })

  it('says why a watch matched or not, from a delivery and for an incident that is pasted', async () => {
    const { page, problems } = await openConsole(browser, app.url, '/console', {
      viewport: { width: 390, height: 844 },
    })
    await signUp(page, 'why@example.org')
    const watch = await makeWatch(page, {
      name: 'Kidnappings',
      url: endpoint.url,
      filter: { type: 'kidnapping', min_confidence: 0.1 },
    })
    const matching = { ...anIncident(1), type: 'kidnapping' as const }
    const other = { ...anIncident(2), type: 'protest' as const }
    await app.publish([matching, other])
    await until(() => endpoint.messages.length === 1, 'the message')
    await page.goto(`${app.url}/console?view=deliveries&delivery=${endpoint.messages[0]!.json.id}`)
    await page.getByRole('link', { name: 'Why did the watch match?' }).click()
    await page.getByText('It matches.').waitFor()
    const row = page.locator('tbody tr', { hasText: 'Type' })
    assert.deepEqual(await row.locator('td').allTextContents(), ['Type', 'Kidnapping', 'Kidnapping', 'yes'])
    await page.locator('.explained-events').getByRole('link', { name: 'delivered' }).waitFor()
    assert.deepEqual(await axeViolations(page), [])

    const field = page.getByLabel('Id or address of an incident')
    assert.equal(await field.inputValue(), matching.id)
    await field.fill(`${app.url}/incidents/${other.id}`)
    await field.press('Enter')
    await page.getByText('It does not: Type.').waitFor()
    await page.getByText('The filter does not match.').waitFor()
    assert.deepEqual(await row.locator('td').allTextContents(), ['Type', 'Kidnapping', 'Protest', 'no'])
    const confidence = page.locator('tbody tr', { hasText: 'Confidence at least' })
    assert.equal(await confidence.locator('td').last().textContent(), 'yes')
    await assertAccessible(page)

    // The address leads back to the same explanation.
    assert.equal(page.url(), `${app.url}/console?view=watches&watch=${watch}&incident=${other.id}`)
    await page.reload()
    await page.getByText('It does not: Type.').waitFor()
    assert.deepEqual(problems, [])
    await field.fill('Kaduna')
    await page.getByRole('button', { name: 'Explain' }).click()
    await page.getByRole('alert').filter({ hasText: 'must be the id of an incident' }).waitFor()
    assert.equal(await page.getByText('It does not: Type.').count(), 0)
    await field.fill(`inc_${'0'.repeat(26)}`)
    await page.getByRole('button', { name: 'Explain' }).click()
    await page.getByRole('alert').filter({ hasText: 'There is no such incident' }).waitFor()
  })

  it('sends what waits once the endpoint is repaired, and not while the watch is paused', async () => {
    const { page } = await openConsole(browser, app.url)
    await signUp(page, 'pending@example.org')
    const watch = await makeWatch(page, { name: 'Refused', url: endpoint.url, filter: { type: 'armed_robbery' } })
    endpoint.messages.length = 0
    endpoint.answer = REFUSE
    await app.publish([{ ...anIncident(3), type: 'armed_robbery' as const }])
    // After its second refusal a message waits for minutes.
    await page.goto(`${app.url}/console?view=deliveries&watch=${watch}`)
    await until(async () => {
      await page.getByRole('button', { name: 'Refresh' }).click()
      return (await page.getByText('2 attempts').count()) === 1
    }, 'the second refusal in the log')
    assert.equal(endpoint.messages.length, 2)
    endpoint.answer = ACCEPT
    await page.goto(`${app.url}/console?view=watches&watch=${watch}`)
    await page.getByRole('button', { name: 'Send pending now' }).click()
    await page.getByText('One message is sent now.').waitFor()
    await until(() => endpoint.messages.length === 3, 'the message')
    assert.equal(endpoint.messages[2]!.headers['webhook-id'], endpoint.messages[0]!.headers['webhook-id'])
    await until(async () => {
      await page.getByRole('button', { name: 'Send pending now' }).click()
      return (await page.getByText('No message waits.').count()) === 1
    }, 'nothing to be left')
    assert.deepEqual(await axeViolations(page), [])

    await page.getByRole('button', { name: 'Pause' }).click()
    await page.getByText('They are sent when you resume the watch.').waitFor()
    assert.ok(await page.getByRole('button', { name: 'Send pending now' }).isDisabled())
    await page.getByRole('link', { name: 'See them' }).click()
    await page.getByText('No message fits these filters.').waitFor()
  })

  it('sends more messages again than one request takes, and says how many', async () => {
    const { page } = await openConsole(browser, app.url)
    await signUp(page, 'many@example.org')
    const watch = await makeWatch(page, { name: 'Many', url: endpoint.url, filter: { type: 'highway_robbery' } })
    endpoint.messages.length = 0
    endpoint.answer = ACCEPT
    const incidents = Array.from({ length: 1001 }, (_, index) => ({
      ...anIncident(100 + index),
      type: 'highway_robbery' as const,
    }))
    await app.publish(incidents)
    await until(() => endpoint.messages.length === 1001, 'all messages')
    await page.goto(`${app.url}/console?view=deliveries&watch=${watch}`)
    await page.getByRole('button', { name: 'Send all of these again' }).click()
    await page.getByText('More than 1,000 messages.', { exact: true }).waitFor()
    await page.getByRole('button', { name: 'Send them again' }).click()
    await page.getByText('1,001 sent again.').waitFor()
    await until(() => endpoint.messages.length === 2002, 'all messages again')
    const counts = new Map<unknown, number>()
    for (const { headers } of endpoint.messages)
      counts.set(headers['webhook-id'], (counts.get(headers['webhook-id']) ?? 0) + 1)
    assert.deepEqual([counts.size, ...new Set(counts.values())], [1001, 2])
  })
})

describe('notifications at the console', { skip: skipBrowser() }, () => {
  let app: TestApp
  let service: Receiver
  let browser: Browser
  const arrived: Buffer[] = []
  before(async () => {
    service = await receive(async (request, response) => {
      arrived.push(Buffer.concat(await request.toArray()))
      response.writeHead(201).end()
    })
    app = await startTestApp({ WEBHOOK_ALLOW_PRIVATE: 'true', SIGNUPS_PER_HOUR: '1000' })
    browser = await launchBrowser()
  })
  after(async () => {
    await browser?.close()
    await app?.[Symbol.asyncDispose]()
    await service?.[Symbol.asyncDispose]()
  })

  it('are turned on in this browser, arrive encrypted, and are shown once for each incident', async () => {
    const { page, problems } = await openConsole(browser, app.url, '/console', {
      permissions: ['notifications'],
      serviceWorkers: 'allow',
    })
    const receiver = aBrowser(`http://127.0.0.1:${service.port}/here`)
    await page.addInitScript(subscribeWith, receiver.json)
    await page.reload()
    await signUp(page, 'phone@example.org')
    await page.goto(`${app.url}/console?view=watches&watch=new`)
    await page.getByLabel('Name', { exact: true }).fill('My roads')
    await page.getByLabel('Channel').selectOption('webpush')
    await page.getByText('even if no page is open').waitFor()
    assert.deepEqual(await axeViolations(page), [])
    await page.getByRole('button', { name: 'Make the watch' }).click()
    await page.getByText('This browser shows what the watch finds').waitFor()
    assert.deepEqual(await axeViolations(page), [])
    const id = new URL(page.url()).searchParams.get('watch')!

    const incident = anIncident(1)
    await app.publish([incident])
    await until(() => arrived.length === 1, 'the message')
    await app.publish([{ ...incident, version: 2, status: 'retracted' }], 'incident.retracted')
    await until(() => arrived.length === 2, 'the withdrawal')
    const deliver = await pushService(page, app.url)
    const [created, withdrawn] = arrived.map((message) => receiver.decrypt(message))
    await deliver(created!)
    await until(async () => (await shownNotifications(page)).length === 1, 'the notification')
    const [first] = await shownNotifications(page)
    assert.equal(first!.tag, incident.id)
    assert.ok(first!.body.includes(incident.summary))
    await deliver(withdrawn!)
    await until(
      async () => (await shownNotifications(page))[0]?.title.startsWith('Withdrawn: ') === true,
      'the withdrawal is shown',
    )
    assert.equal((await shownNotifications(page)).length, 1)
    await deliver('not what this service sends')
    await until(async () => (await shownNotifications(page)).length === 2, 'something is shown for every message')

    // The worker says that the browser is still there, whatever page is opened.
    const [worker] = page.context().serviceWorkers()
    await worker!.evaluate((endpoint) => {
      PushManager.prototype.getSubscription = async () => ({ endpoint }) as PushSubscription
    }, receiver.subscription.endpoint)
    const since = Date.now() + 1
    const isUnseen = async () => (await app.store.push.unseen(since, 10)).some(({ watchId }) => watchId === id)
    assert.equal(await isUnseen(), true)
    await until(() => Date.now() > since)
    await page.goto(`${app.url}/about`)
    await until(async () => !(await isUnseen()), 'the browser is seen')
    assert.deepEqual(problems, [])
  })
})
