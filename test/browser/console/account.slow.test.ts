import assert from 'node:assert/strict'
import { after, afterEach, before, describe, it } from 'node:test'
import type { Browser } from 'playwright-core'
import { startTestApp, type TestApp, until } from '../../support/app.ts'
import { browserMissing, launchBrowser } from '../../support/browser.ts'
import { signInBrowser } from '../../support/sign-in.ts'
import { axeViolations, openConsole, signUp } from './developer.ts'

describe('the account at the console', { skip: browserMissing() ?? false, timeout: 240_000 }, () => {
  let app: TestApp
  let browser: Browser
  before(async () => {
    app = await startTestApp({ SIGNUPS_PER_HOUR: '1000' })
    browser = await launchBrowser()
  })
  afterEach(async () => {
    for (const context of browser.contexts()) await context.close()
  })
  after(async () => {
    await browser?.close()
    await app?.[Symbol.asyncDispose]()
  })

  it('changes the name, and takes it away', async () => {
    const { page, problems } = await openConsole(browser, app.url)
    const key = await signUp(page, 'name@example.org')
    const nameOf = async () =>
      ((await (await app.get('/v1/me', key)).json()) as { account: { name: string | null } }).account.name
    await page.getByRole('link', { name: 'Account' }).click()
    await page.getByLabel('Name', { exact: true }).fill('Ada Obi')
    await page.getByRole('button', { name: 'Save the name' }).click()
    await page.getByText('Saved.').waitFor()
    await until(async () => (await nameOf()) === 'Ada Obi', 'the name')
    await page.getByLabel('Name', { exact: true }).fill('')
    await page.getByRole('button', { name: 'Save the name' }).click()
    await page.getByText('Saved.').waitFor()
    // Another credential sees it within a second.
    await until(async () => (await nameOf()) === null, 'no name')
    assert.deepEqual(problems, [])
  })

  it('deletes the account only once its address is written, and says what goes', async () => {
    const { page, problems } = await openConsole(browser, app.url)
    const key = await signUp(page, 'leaving@example.org')
    await app.post('/v1/areas', { name: 'Depot', circle: { lat: 10, lng: 7, radius_km: 5 } }, key)
    await page.reload()
    await page.getByRole('link', { name: 'Account' }).click()
    await page.getByRole('button', { name: 'Delete this account…' }).click()
    await page.getByText('one saved area').waitFor()
    await page.getByText('no watches with secrets').waitFor()
    const remove = page.getByRole('button', { name: 'Delete my account for good' })
    assert.ok(await remove.isDisabled())
    await page.getByLabel('To confirm, write the e-mail address').fill('someone@example.org')
    assert.ok(await remove.isDisabled())
    await page.getByRole('button', { name: 'Cancel' }).click()
    assert.equal((await app.get('/v1/me', key)).status, 200)
    await page.getByRole('button', { name: 'Delete this account…' }).click()
    await page.getByLabel('To confirm, write the e-mail address').fill('Leaving@example.org')
    await remove.click()
    await page.getByText('Your account is deleted.').waitFor()
    assert.equal((await app.get('/v1/me', key)).status, 401)
    assert.deepEqual(problems, [])
    await page.reload()
    await page.getByRole('button', { name: 'Get my key' }).waitFor()
    const again = await signUp(page, 'leaving@example.org')
    assert.notEqual(again, key)
  })

  it('tells a member that an admin has to take the role away first', async () => {
    const context = await browser.newContext()
    await signInBrowser(context, app, 'editor')
    const page = await context.newPage()
    await page.goto(`${app.url}/console?view=account`)
    await page.getByText('You are editor at the desk here').waitFor()
    assert.equal(await page.getByRole('button', { name: 'Delete this account…' }).count(), 0)
    assert.equal(await page.getByRole('button', { name: 'Save the name' }).count(), 0)
  })

  it('has no barrier that axe finds, and fits every width in both themes', async () => {
    for (const [width, colorScheme] of [
      [1440, 'light'],
      [390, 'dark'],
    ] as const) {
      const viewport = { width, height: 844 }
      const { page } = await openConsole(browser, app.url, '/console', { viewport, colorScheme })
      await signUp(page, `account${width}@example.org`)
      await page.getByRole('link', { name: 'Account' }).click()
      await page.getByRole('button', { name: 'Delete this account…' }).waitFor()
      assert.deepEqual(await axeViolations(page), [], `the account at ${width} px`)
      await page.getByRole('button', { name: 'Delete this account…' }).click()
      assert.deepEqual(await axeViolations(page), [], `the question at ${width} px`)
      const wide = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)
      assert.ok(wide <= 0, `${wide} px wider than ${width} px`)
    }
  })
})
