import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import type { Browser } from 'playwright-core'
import { browserMissing, launchBrowser } from '../../support/browser.ts'
import { sendStatus, startFeedServer } from '../../support/feed-server.ts'
import { type DeskService, startDeskService } from './desk-service.ts'

describe('the sources at the desk', { skip: browserMissing() ?? false, timeout: 120_000 }, () => {
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
    await page.waitForFunction(async () => {
      const { data } = (await (await fetch('/v1/admin/sources')).json()) as { data: { health: { failures: number } }[] }
      return data[0]!.health.failures > 0
    })
    await page.getByRole('button', { name: 'Sources', exact: true }).click()
    const row = page.getByRole('row', { name: /Zamfara Herald/ })
    await row.getByText('The server answered 500.').waitFor()
    await row.getByRole('button', { name: 'Pause' }).click()
    await row.getByRole('button', { name: 'Resume' }).waitFor()
    assert.match(await row.innerText(), /paused/)
  })
})
