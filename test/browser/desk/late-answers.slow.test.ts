import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import type { Browser, Page } from 'playwright-core'
import { until } from '../../support/app.ts'
import { browserMissing, launchBrowser } from '../../support/browser.ts'
import { type DeskService, startDeskService } from './desk-service.ts'
import { reportNumber } from './reports.ts'

const [LIST, INCIDENT] = [/\/v1\/desk\/incidents\?/, /\/v1\/desk\/incidents\/inc_\w+(\?|$)/]

/** Keeps the first answer to such a request back until it is let go; those that follow pass it. */
async function keepBack(page: Page, path: RegExp) {
  const letGo = Promise.withResolvers<void>()
  const isKept = Promise.withResolvers<void>()
  const isShown = Promise.withResolvers<void>()
  let answers = 0
  await page.route(path, async (route) => {
    const response = await route.fetch()
    if (answers++ === 0) {
      isKept.resolve()
      await letGo.promise
      await route.fulfill({ response })
      isShown.resolve()
    } else await route.fulfill({ response })
  })
  return {
    kept: isKept.promise,
    answers: () => answers,
    async letGo() {
      letGo.resolve()
      await isShown.promise
    },
  }
}

describe('answers that a change has overtaken', { skip: browserMissing() ?? false, timeout: 120_000 }, () => {
  let service: DeskService
  let browser: Browser
  before(async () => {
    service = await startDeskService()
    browser = await launchBrowser()
  })
  after(async () => {
    await browser?.close()
    await service?.[Symbol.asyncDispose]()
  })
  const report = async (number: number) =>
    (await service.send<{ id: string }>('POST', '/v1/reports', reportNumber(number, Date.now()))).id
  const reject = (id: string) => service.send('POST', `/v1/desk/incidents/${id}/reject`, { note: 'A rumour.' })

  it('a list that was read before a decision does not bring the report back', async () => {
    const [decided] = [await report(0), await report(1), await report(2)]
    let list!: Awaited<ReturnType<typeof keepBack>>
    let incident!: Awaited<ReturnType<typeof keepBack>>
    const page = await service.openDesk(browser, 'Late Lister', 'editor', {
      prepare: async (opened) => {
        list = await keepBack(opened, LIST)
        incident = await keepBack(opened, INCIDENT)
      },
    })
    await list.kept
    await page.locator('.pill.live:not(.lost, .connecting)').waitFor()
    await reject(decided)
    await incident.kept
    await incident.letGo()
    await list.letGo()
    await page.getByText('2 reports').waitFor()
    assert.equal(await page.locator('.row').count(), 2)
  })

  it('a report that was read before a decision does not come back either', async () => {
    const page = await service.openDesk(browser, 'Late Reader')
    await page.getByText('2 reports').waitFor()
    const incident = await keepBack(page, INCIDENT)
    const arriving = await report(3)
    await incident.kept
    await reject(arriving)
    await until(() => incident.answers() >= 2, 'the report to be read again')
    await incident.letGo()
    await page.waitForTimeout(500)
    assert.equal(await page.getByText('2 reports').count(), 1)
  })
})
