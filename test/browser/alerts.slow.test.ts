import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import type { Browser } from 'playwright-core'
import { ALERTS_ACCOUNT_ID } from '../../src/deliveries/alerts/alerts.ts'
import { aBrowser } from '../deliveries/fixtures.ts'
import { startTestApp, type TestApp, until } from '../support/app.ts'
import { launchBrowser, releaseBrowser, sharedBrowser, skipBrowser } from '../support/browser.ts'
import { anIncident } from '../support/incident.ts'
import { type MailServer, parsedMail, startMailServer } from '../support/mail.ts'
import { receive } from '../support/receivers.ts'
import {
  axeViolations,
  pushService,
  SMALL_DESKTOP,
  shownNotifications,
  subscribeWith,
  WITHOUT_WORKER,
  waitForMap,
  withCoarseMaps,
} from './browser-fixture.ts'

const EMAIL = 'ada@example.org'

describe('an alert without an account', { skip: skipBrowser() }, () => {
  let server: MailServer
  let app: TestApp
  let browser: Browser

  before(async () => {
    server = await startMailServer()
    app = await startTestApp({ SMTP_URL: server.url })
    browser = await sharedBrowser()
  })
  after(async () => {
    await releaseBrowser()
    await app[Symbol.asyncDispose]()
    await server[Symbol.asyncDispose]()
  })

  const confirmedNow = (number: number) => {
    const at = new Date().toISOString()
    return anIncident(number, { published_at: at, updated_at: at, occurred_at: at })
  }

  async function nextMail(count: number) {
    await until(() => server.raw.length === count, `mail ${count}`)
    return parsedMail(server.raw[count - 1]!)
  }

  it('is about an area that was drawn on the map, by tapping and by name', async () => {
    const page = await browser.newPage({
      ...WITHOUT_WORKER,
      viewport: SMALL_DESKTOP,
      reducedMotion: 'reduce',
    })
    await page.addInitScript(withCoarseMaps)
    await page.goto(`${app.url}/`)
    await page.getByRole('button', { name: 'Draw an area' }).click()
    await waitForMap(page)
    const panel = page.getByRole('region', { name: 'Draw an area' })
    const map = (await page.locator('.map canvas').boundingBox())!
    await page.mouse.click(map.x + 60, map.y + 250)
    await panel.getByText('1 corner.').waitFor()
    await page.mouse.click(map.x + 150, map.y + 330)
    await panel.getByText('2 corners.').waitFor()
    await panel.getByText('Without tapping').click()
    await panel.getByRole('combobox').fill('Kano')
    await panel.getByRole('option').first().waitFor()
    await panel.getByRole('combobox').press('Enter')
    await panel.getByText('3 corners.').waitFor()
    assert.deepEqual(await axeViolations(page), [])
    await panel.getByRole('button', { name: 'Finish' }).click()
    await panel.getByText('are about the area that you drew').waitFor()
    assert.match(decodeURIComponent(page.url()), /[?&]polygon=([\d.]+,[\d.]+;){3}[\d.]+,[\d.]+/)
    await panel.getByRole('link', { name: 'Alert me about this area' }).click()
    assert.equal(await page.locator('.alert-area strong').textContent(), 'The area that you drew')
    await page.close()
  })

  it('leads from the map to the inbox, and ends with one click', async () => {
    await app.publish([confirmedNow(1)])
    const page = await browser.newPage({ ...WITHOUT_WORKER, viewport: { width: 390, height: 844 } })
    await page.goto(`${app.url}/?state=NG-KD&severity=high,critical`)
    await page.getByRole('link', { name: 'Alert me about this area' }).click()
    await page.getByRole('heading', { name: 'Tell me about this area' }).waitFor()
    assert.equal(await page.locator('.alert-area strong').textContent(), 'Kaduna')
    assert.equal(await page.getByLabel('From which severity').inputValue(), 'high')
    assert.match((await page.locator('.alert-preview').textContent())!, /would have brought 1 message\./)
    assert.deepEqual(await axeViolations(page), [])
    await page.getByLabel('Your e-mail address').fill(EMAIL)
    await page.getByRole('button', { name: 'Send me a mail to confirm' }).click()
    await page.getByRole('heading', { name: 'Look into your inbox' }).waitFor()

    const question = await nextMail(1)
    assert.equal(question.headers.to, EMAIL)
    assert.ok(question.headers.subject!.includes('Kaduna · High and above'))
    await page.goto(/http\S+\/alerts\/confirm\/\S+/.exec(question.text)![0])
    await page.getByRole('button', { name: 'Start the alert' }).click()
    await page.getByRole('heading', { name: 'The alert has started' }).waitFor()

    const incident = confirmedNow(2)
    await app.publish([incident])
    const mail = await nextMail(2)
    assert.deepEqual([mail.headers.to, mail.headers['list-unsubscribe-post']], [EMAIL, 'List-Unsubscribe=One-Click'])
    await page.setContent(mail.html)
    assert.equal(await page.getByRole('link', { name: 'Open the incident' }).getAttribute('href'), linkTo(incident.id))
    const { width, wide } = await page.evaluate(() => ({ width: innerWidth, wide: document.body.scrollWidth }))
    assert.ok(wide <= width, 'the mail fits a phone')
    assert.deepEqual(await axeViolations(page), [])

    await page.getByRole('link', { name: 'See or end this alert' }).click()
    await page.getByRole('button', { name: 'End this alert' }).click()
    await page.getByRole('heading', { name: 'The alert has ended' }).waitFor()
    assert.deepEqual(await app.store.watches.ids(ALERTS_ACCOUNT_ID, 10), [])
    await app.publish([confirmedNow(3)])
    assert.equal(server.raw.length, 2)
  })

  it('is shown in the browser that asked for it, and ends there', async () => {
    const arrived: Buffer[] = []
    await using service = await receive(async (request, response) => {
      arrived.push(Buffer.concat(await request.toArray()))
      response.writeHead(201).end()
    })
    // Without a mail server, so that notifications are the only way.
    await using plain = await startTestApp({ WEBHOOK_ALLOW_PRIVATE: 'true', CHANNEL_HOSTS: '127.0.0.1' })
    const receiver = aBrowser(`http://127.0.0.1:${service.port}/here`)
    await using withNotifications = await launchBrowser()
    const page = await withNotifications.newPage({
      viewport: { width: 390, height: 844 },
      permissions: ['notifications'],
    })
    await page.addInitScript(subscribeWith, receiver.json)
    await page.goto(`${plain.url}/alerts?state=NG-KD&severity=high`)
    await page.getByText('even if no page is open').waitFor()
    assert.deepEqual(await axeViolations(page), [])
    await page.getByRole('button', { name: 'Notify me in this browser' }).click()
    await page.getByText('The alert has started.').waitFor()
    await page.getByRole('heading', { name: 'Alerts in this browser' }).waitFor()
    assert.equal(await page.locator('#mine li strong').textContent(), 'Kaduna · High and above')
    assert.deepEqual(await axeViolations(page), [])

    const incident = confirmedNow(2)
    await plain.publish([incident])
    await until(() => arrived.length === 2, 'the first notification and the incident')
    const deliver = await pushService(page, plain.url)
    for (const message of arrived) await deliver(receiver.decrypt(message))
    await until(async () => (await shownNotifications(page)).length === 2, 'both are shown')
    const shown = await shownNotifications(page)
    assert.deepEqual(shown.map(({ tag }) => tag).toSorted(), ['alerts', incident.id].toSorted())

    await page.goto(`${plain.url}/alerts`)
    await page.getByRole('button', { name: 'End this alert' }).click()
    await page.getByText('The alert has ended').waitFor()
    assert.deepEqual(await plain.store.watches.ids(ALERTS_ACCOUNT_ID, 10), [])
  })

  const linkTo = (id: string) => `${app.url}/incidents/${id}`
})
