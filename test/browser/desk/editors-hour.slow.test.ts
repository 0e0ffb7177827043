import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import type { Browser } from 'playwright-core'
import { until } from '../../support/app.ts'
import { releaseBrowser, sharedBrowser, skipBrowser } from '../../support/browser.ts'
import { startEndpoint, type TestEndpoint } from '../../support/receivers.ts'
import { type DeskProcess, Editor, reportNumber, secondReport, startDeskProcess } from './desk-service.ts'

interface Listed {
  readonly data: readonly { readonly id: string; readonly summary: string; readonly version: number }[]
}

describe("an editor's hour", { skip: skipBrowser() }, () => {
  let service: DeskProcess
  let endpoint: TestEndpoint
  let browser: Browser
  let editor: Editor
  const tally = { confirmed: 0, rejected: 0, merged: 0, corrected: 0, undone: 0 }
  const listed = async (status: string) =>
    (await service.send<Listed>('GET', `/v1/desk/incidents?status=${status}&limit=200`)).data

  before(async () => {
    service = await startDeskProcess()
    endpoint = await startEndpoint()
    browser = await sharedBrowser()
    await service.send('POST', '/v1/watches', { name: 'Everything', url: endpoint.url, filter: {} })
    editor = new Editor(await service.openDesk(browser, 'Amina'))
  })
  after(async () => {
    await releaseBrowser()
    await service?.[Symbol.asyncDispose]()
    await endpoint?.[Symbol.asyncDispose]()
  })

  it('forty reports arrive while the page is open, ten of them duplicates', async () => {
    await editor.page.getByText('All reports are decided.').waitFor()
    const now = Date.now()
    for (let number = 0; number < 30; number++) await service.send('POST', '/v1/reports', reportNumber(number, now))
    for (let number = 0; number < 10; number++) await service.send('POST', '/v1/reports', secondReport(number, now))
    await editor.page.getByText('40 reports').waitFor()
    // The first that arrived is open: the work begins with the newest.
    for (let rows = 0; rows < 40; rows++) await editor.press('k')
    await until(async () => (await editor.current()).summary.startsWith('Event 9 again'), 'the newest report')
  })

  /** Decides as the report asks for, until the tally is reached. */
  const work = async (goal: Partial<typeof tally>) => {
    const isLeft = (name: keyof typeof tally) => tally[name] < (goal[name] ?? 0)
    while ((Object.keys(goal) as (keyof typeof tally)[]).some(isLeft)) {
      const { summary } = await editor.current()
      if (summary.includes('again') && isLeft('merged')) {
        await editor.merge()
        tally.merged++
      } else if (isLeft('rejected') && tally.rejected < tally.confirmed) {
        await editor.decide('r', '2')
        tally.rejected++
      } else if (isLeft('confirmed')) {
        await editor.decide('c')
        tally.confirmed++
      } else {
        await editor.press('k')
      }
    }
    await editor.settled()
  }

  it('six are merged, the first confirmed and rejected, one key each', async () => {
    await work({ merged: 6, confirmed: 5, rejected: 3 })
    assert.equal((await listed('merged')).length, 6)
    assert.equal((await listed('rejected')).length, 3)
  })

  it('two are corrected, and one decision is taken back', async () => {
    for (let round = 1; round <= 2; round++) {
      const { id } = await editor.current()
      await editor.correct('Killed', String(round))
      const { casualties } = await service.send<{ casualties: { killed: number } }>('GET', `/v1/desk/incidents/${id}`)
      assert.equal(casualties.killed, round)
      tally.corrected++
      await editor.decide('c')
      tally.confirmed++
    }
    const { id } = await editor.current()
    await editor.decide('r', '1')
    await editor.settled()
    await editor.press('u')
    await until(async () => (await editor.current()).id === id, 'the report to be back')
    await editor.settled()
    tally.undone++
    const { status } = await service.send<{ status: string }>('GET', `/v1/desk/incidents/${id}`)
    assert.equal(status, 'reported')
  })

  it('a name is redacted, and is gone from the report and its history', async () => {
    const { id } = await editor.current()
    const place = (await editor.current()).summary.split(' at ')[1]!.replace('.', '')
    await editor.press('d')
    await editor.page.keyboard.type(place)
    await editor.tabTo('Reason')
    await editor.page.keyboard.type('It names the family.')
    await editor.press('Enter')
    await editor.settled()
    await until(async () => !(await editor.current()).summary.includes(place), 'the summary without the name')
    const { summary, desk } = await service.send<{ summary: string; desk: { text: string } }>(
      'GET',
      `/v1/desk/incidents/${id}`,
    )
    assert.ok(!`${summary} ${desk.text}`.includes(place))
    await editor.page.getByText('redacted it').waitFor()
  })

  it('the service is killed: decisions wait, and are sent once when it is back', async () => {
    await service.kill()
    for (let count = 0; count < 3; count++) {
      await editor.decide('c')
      tally.confirmed++
    }
    await editor.page.getByText('3 decisions wait').waitFor()
    await editor.page.locator('.pill.live.lost').waitFor()
    await service.start()
    await editor.settled()
    await editor.page.locator('.pill.live:not(.lost, .connecting)').waitFor()
    await until(async () => (await listed('confirmed')).length === tally.confirmed, 'all that was confirmed')
    assert.equal(await editor.page.locator('.notice').count(), 0)
  })

  it('a decision that waits survives a reload of the page', async () => {
    await service.kill()
    await editor.decide('c')
    tally.confirmed++
    await editor.page.getByText('One decision waits').waitFor()
    await service.start()
    await editor.page.reload()
    await editor.settled()
    await until(async () => (await listed('confirmed')).length === tally.confirmed, 'what was confirmed before')
  })

  it('twenty are confirmed and eight rejected in the end, and nothing is lost', async () => {
    await editor.page.locator('.report-head h1').waitFor()
    await work({ confirmed: 20, rejected: 8 })
    assert.deepEqual({ ...tally }, { confirmed: 20, rejected: 8, merged: 6, corrected: 2, undone: 1 })
    const counts = await service.send<{ status: object }>('GET', '/v1/desk/counts')
    assert.deepEqual(counts.status, { reported: 6, confirmed: 20, retracted: 0, rejected: 8, merged: 6 })
    await editor.page.getByText('6 reports').waitFor()
  })

  it('the watch was told of everything that was confirmed', async () => {
    const confirmed = new Set((await listed('confirmed')).map(({ id }) => id))
    const told = () => new Set(endpoint.messages.map(({ json }) => json.incident.id))
    await until(() => [...confirmed].every((id) => told().has(id)), 'every message')
    assert.deepEqual(told(), confirmed)
  })
})
