import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import type { Browser, Page } from 'playwright-core'
import { acledRow, csvOf, ucdpRow } from '../../desk/importing/formats/fixtures.ts'
import { until } from '../../support/app.ts'
import { browserMissing, launchBrowser } from '../../support/browser.ts'
import { temporaryFolder } from '../../support/folder.ts'
import { type DeskService, startDeskService } from './desk-service.ts'

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')
const PLACE = { latitude: 11.25, longitude: 13.5 }
const EVENT = { admin1: 'Borno', admin2: 'Gwoza', location: 'Madeup', ...PLACE, fatalities: 5 }

describe('pairs across data sets at the desk', { skip: browserMissing() ?? false, timeout: 120_000 }, () => {
  let service: DeskService
  let browser: Browser
  before(async () => {
    service = await startDeskService()
    browser = await launchBrowser()
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
    await browser?.close()
    await service?.[Symbol.asyncDispose]()
  })

  const open = async (name: string, options = {}): Promise<Page> => {
    const page = await service.openDesk(browser, name, 'editor', options)
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
    await page.route('**/v1/desk/duplicates?list=open*', async (route) => {
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
    await page.route('**/dismiss', async (route) => {
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

  for (const [width, height] of [
    [1440, 900],
    [390, 844],
  ] as const) {
    it(`axe finds nothing at ${width} px, in both themes`, { timeout: 95_000 }, async () => {
      for (const colorScheme of ['light', 'dark'] as const) {
        const page = await open(`Axe ${width} ${colorScheme}`, { width, height, colorScheme, bypassCSP: true })
        await page.addScriptTag({ content: AXE })
        const violations = await page.evaluate(async () => {
          const { axe } = window as unknown as { axe: typeof import('axe-core') }
          const found = await axe.run(document, { runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'] })
          return found.violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html}`))
        })
        assert.deepEqual(violations, [])
        const pictures = process.env.PICTURES
        if (pictures) await page.screenshot({ path: join(pictures, `pairs-${width}-${colorScheme}.png`) })
        await page.context().close()
      }
    })
  }
})
