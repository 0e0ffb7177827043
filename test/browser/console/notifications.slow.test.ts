import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import type { Browser } from 'playwright-core'
import { aBrowser } from '../../deliveries/fixtures.ts'
import { startTestApp, type TestApp, until } from '../../support/app.ts'
import { browserMissing, launchBrowser } from '../../support/browser.ts'
import { anIncident } from '../../support/incident.ts'
import { type Receiver, receive } from '../../support/receivers.ts'
import { pushService, shownNotifications, subscribeWith } from '../push-service.ts'
import { axeViolations, openConsole, signUp } from './developer.ts'

describe('notifications at the console', { skip: browserMissing() ?? false, timeout: 120_000 }, () => {
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
    const { page, problems } = await openConsole(browser, app.url, '/console', { permissions: ['notifications'] })
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
