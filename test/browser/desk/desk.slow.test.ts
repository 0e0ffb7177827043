import assert from 'node:assert/strict'
import { after, afterEach, before, describe, it } from 'node:test'
import type { Browser, Page } from 'playwright-core'
import { until } from '../../support/app.ts'
import { releaseBrowser, sharedBrowser, skipBrowser } from '../../support/browser.ts'
import { assertAccessibleIn, looks, WCAG_AA } from '../browser-fixture.ts'
import { type DeskService, Editor, reportNumber, secondReport, startDeskService } from './desk-service.ts'

interface Counts {
  readonly status: { readonly reported: number }
  readonly claimed: { readonly none: number }
}

interface Listed {
  readonly data: readonly { readonly id: string; readonly desk: { readonly claim: object | null } }[]
}

describe('the desk', { skip: skipBrowser() }, () => {
  let service: DeskService
  let browser: Browser
  before(async () => {
    service = await startDeskService()
    browser = await sharedBrowser()
    const now = Date.now()
    for (let number = 0; number < 8; number++) await service.send('POST', '/v1/reports', reportNumber(number, now))
    await service.send('POST', '/v1/reports', secondReport(1, now))
  })
  after(async () => {
    await releaseBrowser()
    await service?.[Symbol.asyncDispose]()
  })

  const claims = async () => {
    const { status, claimed } = await service.send<Counts>('GET', '/v1/desk/counts')
    return status.reported - claimed.none
  }
  /** Ends all claims: one whose answer a closed page did not wait for lapses only after minutes. */
  const releaseAll = async () => {
    const { data } = await service.send<Listed>('GET', '/v1/desk/incidents?limit=200&duplicates=none')
    for (const { id, desk } of data) {
      if (desk.claim === null) continue
      await service.send('POST', `/v1/desk/incidents/${id}/claim`, { take_over: true })
      await service.send('POST', `/v1/desk/incidents/${id}/release`)
    }
  }
  const leave = async (page: Page) => {
    await page.context().close()
    await releaseAll()
  }
  /** Leaves the page as a person does: what they had claimed is released. */
  const leaveReleasing = async (page: Page) => {
    await until(async () => (await claims()) === 1, 'the claim')
    await page.goto('about:blank')
    await until(async () => (await claims()) === 0, 'the claim to be released')
    await page.context().close()
  }
  // A test that fails leaves neither pages nor claims to the next one.
  afterEach(async () => {
    for (const context of browser.contexts()) await context.close()
    await releaseAll()
  })

  it('sends people without a session to sign in, and back', async () => {
    const response = await fetch(`${service.url}/desk?status=rejected`, { redirect: 'manual' })
    assert.equal(response.status, 303)
    assert.equal(response.headers.get('location'), `/sign-in?next=${encodeURIComponent('/desk?status=rejected')}`)
    assert.equal(response.headers.get('cache-control'), 'no-store')
  })

  it('shows each role what it may do', async () => {
    for (const [role, tabs] of [
      ['reporter', ['New report']],
      ['editor', ['Queue', 'Proposed sources', 'Duplicates', 'Stories without a place', 'New report']],
      [
        'admin',
        [
          'Queue',
          'Proposed sources',
          'Duplicates',
          'Stories without a place',
          'New report',
          'Sources',
          'Publishers',
          'Members',
          'Audit log',
        ],
      ],
    ] as const) {
      const page = await service.openDesk(browser, `A ${role}`, role)
      await page.locator('.tab').first().waitFor()
      assert.deepEqual(await page.locator('.tab').allInnerTexts(), tabs)
      await leave(page)
    }
  })

  it('shows a claim at the colleague’s page, who can take it over', async () => {
    const amina = new Editor(await service.openDesk(browser, 'Amina'))
    await amina.page.locator('.report-head h1').waitFor()
    const { id } = await amina.current()
    await until(async () => (await claims()) === 1, 'the claim of the first')
    const bola = new Editor(await service.openDesk(browser, 'Bola'))
    await bola.page.locator('.row .tag.claimed', { hasText: 'Amina' }).waitFor()
    await until(async () => (await bola.current()).id === id, 'the same report')
    await bola.press('c')
    await bola.page.getByText('Amina is working on this report. Take it over').waitFor()
    assert.equal((await bola.current()).id, id)
    await bola.page.getByRole('button', { name: 'Take it over' }).press('Enter')
    await amina.page.locator('.inline-notice.claim', { hasText: 'Bola' }).waitFor()
    await bola.decide('c')
    await bola.settled()
    await amina.page.locator(`.row.current`).waitFor({ state: 'detached' })
    await amina.page.context().close()
    await leaveReleasing(bola.page)
  })

  it('shows both versions when a colleague was faster', async () => {
    // A page that learns nothing of others, and claims nothing, as with a bad connection.
    const cut = async (page: Page) => {
      await page.route(/\/desk\/stream|\/(claim|release)$/, (route) => route.abort())
    }
    const slow = new Editor(await service.openDesk(browser, 'Slow', 'editor', { prepare: cut }))
    await slow.page.locator('.report-head h1').waitFor()
    const { id } = await slow.current()
    const quick = new Editor(await service.openDesk(browser, 'Quick'))
    await quick.page.locator('.report-head h1').waitFor()
    await quick.correct('Killed', '4')
    await leaveReleasing(quick.page)
    await slow.decide('c')
    await slow.page.getByText('was not confirmed').waitFor()
    await slow.page.getByRole('button', { name: 'Open it' }).press('Enter')
    const notice = slow.page.locator('.inline-notice.conflict')
    await notice.getByRole('row', { name: /Casualties .* 4 killed/ }).waitFor()
    assert.match(await notice.innerText(), /Quick corrected it/)
    assert.equal((await service.send<{ status: string }>('GET', `/v1/desk/incidents/${id}`)).status, 'reported')
    await leave(slow.page)
  })

  it('takes keys neither in a field nor with a modifier', async () => {
    const editor = new Editor(await service.openDesk(browser, 'Typist'))
    await editor.page.locator('.report-head h1').waitFor()
    const before = await service.send<{ status: object }>('GET', '/v1/desk/counts')
    await editor.press('Control+c')
    await editor.press('/')
    await editor.page.keyboard.type('crux')
    await until(async () => (await editor.page.locator('.row').count()) === 0, 'the search')
    await editor.press('Escape')
    await until(async () => (await editor.page.locator('.row').count()) > 0, 'all rows')
    await editor.settled()
    assert.deepEqual((await service.send<{ status: object }>('GET', '/v1/desk/counts')).status, before.status)
    await editor.press('?')
    await editor.page.getByRole('heading', { name: 'Keys' }).waitFor()
    await leave(editor.page)
  })

  it('rejects what is selected, in one step', async () => {
    const editor = new Editor(await service.openDesk(browser, 'Bulk'))
    await editor.page.locator('.report-head h1').waitFor()
    const { status } = await service.send<{ status: { rejected: number } }>('GET', '/v1/desk/counts')
    await editor.press('k')
    await editor.press('x')
    await editor.press('j')
    await editor.press('x')
    await editor.page.getByText('2 selected').waitFor()
    await editor.decide('r', '1')
    await editor.settled()
    const after = await service.send<{ status: { rejected: number } }>('GET', '/v1/desk/counts')
    assert.equal(after.status.rejected, status.rejected + 2)
    await leave(editor.page)
  })

  it('axe finds nothing, and nothing is too wide, at four widths in both themes', async () => {
    const page = await service.openDesk(browser, 'Axe', 'admin', { drawsMap: true })
    const check = (what: string, wanted = looks(390, 1024, 1280, 1440)) =>
      assertAccessibleIn(page, wanted, what, WCAG_AA)
    await page.locator('.row-body').first().press('Enter')
    await page.locator('.report-head h1').waitFor()
    await page.locator('.place-map[data-state=ready]').waitFor()
    await check('the queue')
    await page.keyboard.press('e')
    await page.locator('form.editor').waitFor()
    await check('the editor', looks(1440))
    await page.keyboard.press('Escape')
    for (const tab of ['New report', 'Sources', 'Publishers', 'Members', 'Audit log']) {
      await page.getByRole('button', { name: tab, exact: true }).press('Enter')
      await page.getByRole('heading', { name: tab, level: 1 }).waitFor()
      await check(tab)
    }
    await leave(page)
  })

  it('draws few of 2,000 rows, wherever one scrolls to', async () => {
    const now = Date.now()
    for (let first = 0; first < 2000; first += 500) {
      const reports = Array.from({ length: 500 }, (_, index) => reportNumber(first + index, now))
      await service.send('POST', '/v1/reports', reports)
    }
    const page = await service.openDesk(browser, 'Many')
    await page.locator('.row').first().waitFor()
    const drawn = () => page.locator('.row').count()
    assert.ok((await drawn()) < 40, `${await drawn()} rows`)
    const scroller = page.locator('.rows-scroller')
    for (let round = 0; round < 5; round++) {
      const before = await scroller.evaluate((element) => element.scrollHeight)
      await scroller.evaluate((element) => element.scrollTo(0, element.scrollHeight))
      await until(async () => (await scroller.evaluate((element) => element.scrollHeight)) > before, 'the next page')
      assert.ok((await drawn()) < 40, `${await drawn()} rows`)
    }
    await page.context().close()
  })
})
