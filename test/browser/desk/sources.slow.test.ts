import assert from 'node:assert/strict'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import type { Browser, Page } from 'playwright-core'
import { acledRow, csvOf, ucdpRow } from '../../desk/importing/formats/fixtures.ts'
import { until } from '../../support/app.ts'
import { releaseBrowser, sharedBrowser, skipBrowser } from '../../support/browser.ts'
import { temporaryFolder } from '../../support/folder.ts'
import { rss, sendFeed, sendStatus, startFeedServer } from '../../support/receivers.ts'
import { assertAccessibleIn, looks, routeNow, WCAG_AA } from '../browser-fixture.ts'
import { type DeskService, startDeskService } from './desk-service.ts'

describe('the sources at the desk', { skip: skipBrowser() }, () => {
  let service: DeskService
  let browser: Browser
  before(async () => {
    service = await startDeskService()
    browser = await sharedBrowser()
  })
  after(async () => {
    await releaseBrowser()
    await service?.[Symbol.asyncDispose]()
  })

  it('offers what a second newspaper writes as a further source, which raises the confidence', async () => {
    const [first, second] = [
      'Gunmen on Tuesday abducted eleven travellers near Dansadau in Maru Local Government Area of Zamfara State, residents said.',
      'No fewer than 11 passengers were kidnapped by bandits around Dansadau town, Maru LGA of Zamfara State, on Tuesday.',
    ]
    const telling = (guid: string, text: string) =>
      sendFeed(rss([{ guid, text, title: text.slice(0, 70), link: `https://${guid}.example.org/story` }]))
    await using one = await startFeedServer(telling('herald', first!))
    await using other = await startFeedServer(telling('courier', second!))
    const page = await service.openDesk(browser, 'Eve Editor')
    await service.send('POST', '/v1/admin/sources', { url: one.url, publisher: 'Herald' })
    const row = page.locator('.row', { hasText: 'abducted eleven' })
    await row.waitFor()
    await service.send('POST', '/v1/admin/sources', { url: other.url, publisher: 'Courier' })
    type Waiting = { data: { incident_id: string }[] }
    const waiting = () => service.send<Waiting>('GET', '/v1/desk/proposed-sources')
    await until(async () => (await waiting()).data.length === 1, 'the proposal')
    const path = `/v1/desk/incidents/${(await waiting()).data[0]!.incident_id}`
    type Sourced = { confidence: number; sources: { publisher: string }[] }
    const before = await service.send<Sourced>('GET', path)

    await page.getByRole('button', { name: 'Proposed sources' }).click()
    await page.locator('.proposals .match-reasons .for').waitFor()
    await page.getByRole('button', { name: 'Open the incident' }).click()
    await page.getByRole('button', { name: 'Add as a source' }).click()
    await page.locator('.sources', { hasText: 'Courier' }).waitFor()
    await page.getByRole('button', { name: 'Add as a source' }).waitFor({ state: 'detached' })
    const after = await service.send<Sourced>('GET', path)
    assert.deepEqual(
      after.sources.map(({ publisher }) => publisher),
      ['Herald', 'Courier'],
    )
    assert.ok(after.confidence > before.confidence, `${before.confidence} → ${after.confidence}`)
    assert.deepEqual((await waiting()).data, [])
    await page.context().close()
  })

  it('shows a story without a place; an editor fills in a report from it, or dismisses it', async () => {
    const story = (guid: string, killed: string) => ({
      guid,
      title: `Gunmen kill ${killed} farmers`,
      text: `Gunmen on Monday killed ${killed} farmers on their fields, a survivor of ${guid} said.`,
      link: `https://${guid}.example.org/story`,
    })
    await using feed = await startFeedServer(sendFeed(rss([story('leader', 'four'), story('observer', 'seven')])))
    const page = await service.openDesk(browser, 'Una Placed')
    await service.send('POST', '/v1/admin/sources', { url: feed.url, publisher: 'Leader' })
    type Stories = { data: { title: string }[] }
    const waiting = async () => (await service.send<Stories>('GET', '/v1/desk/unplaced-stories')).data
    await until(async () => (await waiting()).length === 2, 'the stories')

    await page.getByRole('button', { name: 'Stories without a place' }).click()
    const card = (title: string) => page.locator('.candidate', { hasText: title })
    await card('kill seven').getByRole('button', { name: 'Dismiss' }).click()
    await card('kill seven').waitFor({ state: 'detached' })
    await card('kill four').getByRole('button', { name: 'Fill in a report' }).click()
    const form = page.locator('.file-report')
    await form.getByText('“kill four”').waitFor()
    assert.equal(await form.getByLabel('Its publisher').inputValue(), 'Leader')
    assert.equal(await form.getByLabel('Address of a source').inputValue(), 'https://leader.example.org/story')
    assert.match(await form.getByLabel('What is known').inputValue(), /a survivor of leader/)
    await form.getByLabel('State').fill('Benue')
    await page.getByRole('button', { name: 'File the report' }).click()
    await page.getByText('Filed: Benue').waitFor()
    assert.equal((await waiting()).length, 1)
    await page.getByRole('button', { name: 'Close the story' }).click()
    await page.getByText('No story waits.').waitFor()
    assert.deepEqual(await waiting(), [])
    type Queue = { data: { state: string; sources: { publisher: string }[] }[] }
    const { data } = await service.send<Queue>('GET', '/v1/desk/incidents?state=benue')
    assert.deepEqual(
      data.map(({ state, sources }) => [state, sources[0]!.publisher]),
      [['Benue', 'Leader']],
    )
    await page.getByRole('button', { name: 'New report' }).click()
    assert.equal(await form.getByLabel('Its publisher').inputValue(), '')
    await page.context().close()
  })

  it('says why a feed fails, and pauses it', async () => {
    await using server = await startFeedServer(sendStatus(500))
    const page = await service.openDesk(browser, 'Ada Admin', 'admin')
    const added = await page.evaluate(async (url) => {
      const body = JSON.stringify({ url, publisher: 'Zamfara Herald' })
      return (
        await fetch('/v1/admin/sources', { method: 'POST', headers: { 'content-type': 'application/json' }, body })
      ).status
    }, server.url)
    assert.equal(added, 201)
    await page.getByRole('button', { name: 'Sources', exact: true }).click()
    const row = page.getByRole('row', { name: /Zamfara Herald/ })
    await row.getByText('The server answered 500.').waitFor()
    await row.getByRole('button', { name: 'Pause' }).click()
    await row.getByRole('button', { name: 'Resume' }).waitFor()
    assert.match(await row.innerText(), /paused/)
  })
})

const PLACE = { latitude: 11.25, longitude: 13.5 }
const EVENT = { admin1: 'Borno', admin2: 'Gwoza', location: 'Madeup', ...PLACE, fatalities: 5 }

describe('pairs across data sets at the desk', { skip: skipBrowser() }, () => {
  let service: DeskService
  let browser: Browser
  before(async () => {
    service = await startDeskService()
    browser = await sharedBrowser()
    await using folder = await temporaryFolder()
    const file = async (format: 'ucdp' | 'acled', text: string) => {
      const path = join(folder.path, `${format}.csv`)
      await writeFile(path, text)
      await service.import(format, path)
    }
    await file('ucdp', csvOf([900001, 900002, 900003].map((id) => ucdpRow({ id }))))
    await file('acled', csvOf([acledRow(EVENT)]))
  })
  after(async () => {
    await releaseBrowser()
    await service?.[Symbol.asyncDispose]()
  })

  const open = async (name: string): Promise<Page> => {
    const page = await service.openDesk(browser, name)
    await page.getByRole('button', { name: 'Duplicates', exact: true }).click()
    await page.locator('.pair').first().waitFor()
    return page
  }
  type Pairs = { data: { incident: { id: string }; other: { id: string } }[] }
  const stored = async (list: string) => (await service.send<Pairs>('GET', `/v1/desk/duplicates?list=${list}`)).data

  it('are told apart and merged with the keyboard alone, and both are undone', async () => {
    const page = await open('Kemi Keys')
    assert.equal(await page.locator('.pair').count(), 3)
    await page.keyboard.press('j')
    assert.equal(await page.locator('.pair').nth(1).getAttribute('aria-current'), 'true')
    await page.keyboard.press('r')
    await page.locator('.pair').nth(2).waitFor({ state: 'detached' })
    await until(async () => (await stored('dismissed')).length === 1, 'the dismissal')
    assert.equal(await page.locator('.pair').nth(1).getAttribute('aria-current'), 'true', 'the next takes its place')
    await page.keyboard.press('u')
    await page.locator('.pair').nth(2).waitFor()
    assert.equal((await stored('dismissed')).length, 0)

    await page.keyboard.press('m')
    await page.waitForFunction(() => document.activeElement?.matches('dialog button[type=submit]'))
    await page.keyboard.press('Enter')
    await page.getByText('No pair waits for a decision.').waitFor()
    await until(async () => (await stored('open')).length === 0, 'the merge')
    await page.keyboard.press('u')
    await page.locator('.pair').nth(2).waitFor()
    assert.equal((await stored('open')).length, 3)
    await page.context().close()
  })

  it('does not come back with a list that was asked for before the decision', async () => {
    const page = await open('Lara Late')
    let release = () => {}
    const held = new Promise<void>((resolve) => {
      release = resolve
    })
    let asked = 0
    await routeNow(page, '**/v1/desk/duplicates?list=open*', async (route) => {
      if (++asked > 1) return route.continue()
      const response = await route.fetch()
      await held
      // The page may have given up this question meanwhile.
      await route.fulfill({ response }).catch(() => {})
    })
    // A colleague's note makes the page ask; the answer is late, and older than the decision.
    const [{ incident }] = (await stored('open')) as [Pairs['data'][number]]
    await service.send('POST', `/v1/desk/incidents/${incident.id}/notes`, { note: 'Looked at.' })
    await until(() => asked === 1, 'the question')
    await routeNow(page, '**/dismiss', async (route) => {
      await held
      await route.continue()
    })
    await page.keyboard.press('r')
    await page.locator('.pair').nth(2).waitFor({ state: 'detached' })
    release()
    await until(async () => (await stored('dismissed')).length === 1, 'the dismissal')
    assert.equal(await page.locator('.pair').count(), 2)
    await page.getByRole('button', { name: 'Told apart' }).click()
    await page.getByRole('button', { name: 'Offer again' }).click()
    await page.getByText('No pair was told apart.').waitFor()
    await until(async () => (await stored('open')).length === 3, 'the offer')
    await page.context().close()
  })

  it('axe finds nothing at two widths, in both themes', async () => {
    const page = await open('Axe')
    await assertAccessibleIn(page, looks(390, 1440), 'the pairs', WCAG_AA)
    await page.context().close()
  })
})
