import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { browserMissing } from '../../support/browser.ts'
import { type BrowserFixture, minutesAgo, startBrowserFixture } from '../browser-fixture.ts'

const PHONE = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true }
const AXE = import.meta.resolve('axe-core/axe.min.js')

describe('the map of an empty archive', { skip: browserMissing() ?? false, timeout: 600_000 }, () => {
  let fixture: BrowserFixture
  before(async () => {
    fixture = await startBrowserFixture()
  })
  after(() => fixture?.[Symbol.asyncDispose]())

  for (const [what, options] of [
    ['a wide screen', {}],
    ['a phone', PHONE],
    ['a wide screen without JavaScript', { javaScriptEnabled: false }],
  ] as const)
    it(`says what it is and what its operator does next, on ${what}`, async () => {
      await using opened = await fixture.open('/', options)
      const { page, problems } = opened
      await page.getByRole('heading', { name: 'Nothing has been published yet' }).waitFor()
      assert.ok(await page.getByText('npx incident-feed import ucdp events.csv').isVisible())
      assert.equal(await page.getByRole('link', { name: /Open the desk/ }).getAttribute('href'), '/desk')
      assert.equal(await page.getByText('No incident matches').count(), 0)
      assert.deepEqual(problems, [])
    })

  for (const colorScheme of ['light', 'dark'] as const)
    it(`has no fault that axe finds, ${colorScheme}`, async () => {
      await using opened = await fixture.open('/', { colorScheme, bypassCSP: true })
      const { page } = opened
      await page.getByRole('heading', { name: 'Nothing has been published yet' }).waitFor()
      await page.addScriptTag({ path: new URL(AXE).pathname })
      const violations = await page.evaluate(async () => {
        const { axe } = globalThis as unknown as {
          axe: { run(selector: string): Promise<{ violations: { id: string }[] }> }
        }
        return (await axe.run('.empty-archive')).violations.map(({ id }) => id)
      })
      assert.deepEqual(violations, [])
    })

  it('makes way for the list when the first incident is published', async () => {
    await using opened = await fixture.open('/')
    const { page } = opened
    await page.getByRole('heading', { name: 'Nothing has been published yet' }).waitFor()
    await fixture.app.publish([minutesAgo(1, 1)])
    await page.locator('.rows .row').waitFor()
    assert.equal(await page.getByRole('heading', { name: 'Nothing has been published yet' }).count(), 0)
  })
})
