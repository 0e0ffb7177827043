import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import type { Browser, Page } from 'playwright-core'
import { until } from '../../support/app.ts'
import { releaseBrowser, sharedBrowser, skipBrowser } from '../../support/browser.ts'
import { type DeskService, reportNumber, startDeskService } from './desk-service.ts'

const STORY =
  'Bandits killed nine people in Maradun, Zamfara State, on 3 November 2026 at about 2am. ' +
  'In a separate attack, gunmen abducted a doctor in Ifelodun on 4 November 2026.'

interface Queue {
  readonly data: readonly {
    readonly type: string
    readonly state: string
    readonly lga: string | null
    readonly occurred_at: string
    readonly time_precision: string
    readonly casualties: object
  }[]
}

describe('a new report', { skip: skipBrowser() }, () => {
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

  it('is filled in from a story, each field with its words, and a place that is a question is chosen', async () => {
    const page = await service.openDesk(browser, 'Ada Story')
    await page.getByRole('button', { name: 'New report' }).click()
    await page.getByText('Fill in from a story').click()
    await page.getByLabel('The story, as it was published').fill(STORY)
    await page.getByRole('button', { name: 'Read the story' }).click()
    await page.getByText('The story reports 2 incidents').waitFor()
    const value = (label: string) =>
      page
        .locator('.file-report')
        .getByLabel(new RegExp(`^${label}`))
        .inputValue()
    assert.deepEqual(
      [await value('What happened'), await value('Day'), await value('Time in Lagos, if known'), await value('Killed')],
      ['banditry', '2026-11-03', '02:00', '9'],
    )
    assert.deepEqual(await page.locator('.read-from').allInnerTexts(), [
      '“killed”',
      '“3 November 2026 at about 2am”',
      '“Maradun”',
      '“killed nine”',
    ])

    await page.getByRole('button', { name: 'Kidnapping, Ifelodun' }).click()
    assert.equal(await value('State'), '')
    await page.getByLabel('Ifelodun LGA, Osun').check()
    assert.deepEqual([await value('State'), await value('LGA'), await value('Abducted')], ['Osun', 'Ifelodun', '1'])
    await page.getByRole('button', { name: 'File the report' }).click()
    await page.getByText('Filed: Ifelodun').waitFor()
    assert.equal(await page.locator('.read-from').count(), 0)

    await page.getByRole('button', { name: /^Banditry, / }).click()
    await page.getByRole('button', { name: 'File the report' }).click()
    await page.getByText('Filed: Maradun').waitFor()
    const { data } = await service.send<Queue>('GET', '/v1/desk/incidents?order=oldest')
    assert.deepEqual(
      data.map(({ type, state, lga, occurred_at, time_precision }) => [type, state, lga, occurred_at, time_precision]),
      [
        ['kidnapping', 'Osun', 'Ifelodun', '2026-11-04T00:00:00Z', 'day'],
        ['banditry', 'Zamfara', 'Maradun', '2026-11-03T01:00:00Z', 'hour'],
      ],
    )
    await page.context().close()
  })

  it('is written by hand by reporters, who cannot have stories read', async () => {
    const page = await service.openDesk(browser, 'A reporter', 'reporter')
    await page.getByRole('heading', { name: 'New report' }).waitFor()
    assert.equal(await page.getByText('Fill in from a story').count(), 0)
    await page.context().close()
  })
})

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

describe('answers that a change has overtaken', { skip: skipBrowser() }, () => {
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
    await page.unrouteAll({ behavior: 'ignoreErrors' })
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
    await page.unrouteAll({ behavior: 'ignoreErrors' })
  })
})
