import assert from 'node:assert/strict'
import { after, afterEach, before, describe, it } from 'node:test'
import type { Browser } from 'playwright-core'
import { startTestApp, type TestApp, until } from '../../support/app.ts'
import { releaseBrowser, sharedBrowser, skipBrowser } from '../../support/browser.ts'
import { anIncident } from '../../support/incident.ts'
import { signInBrowser } from '../../support/sign-in.ts'
import { assertAccessibleIn, looks, WITHOUT_WORKER } from '../browser-fixture.ts'
import { openConsole, signUp } from './developer.ts'

describe('the account at the console', { skip: skipBrowser() }, () => {
  let app: TestApp
  let browser: Browser
  before(async () => {
    app = await startTestApp({ SIGNUPS_PER_HOUR: '1000' })
    browser = await sharedBrowser()
  })
  afterEach(async () => {
    for (const context of browser.contexts()) await context.close()
  })
  after(async () => {
    await releaseBrowser()
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
    const context = await browser.newContext(WITHOUT_WORKER)
    await signInBrowser(context, app, 'editor')
    const page = await context.newPage()
    await page.goto(`${app.url}/console?view=account`)
    await page.getByText('You are editor at the desk here').waitFor()
    assert.equal(await page.getByRole('button', { name: 'Delete this account…' }).count(), 0)
    assert.equal(await page.getByRole('button', { name: 'Save the name' }).count(), 0)
  })

  it('has no barrier that axe finds, and fits every width in both themes', async () => {
    const { page } = await openConsole(browser, app.url)
    const check = (what: string) =>
      assertAccessibleIn(
        page,
        [
          [390, 'dark'],
          [1440, 'light'],
        ],
        what,
      )
    await signUp(page, 'axe@example.org')
    await page.getByRole('link', { name: 'Account' }).click()
    await page.getByRole('button', { name: 'Delete this account…' }).waitFor()
    await check('the account')
    await page.getByRole('button', { name: 'Delete this account…' }).click()
    await check('the question')
  })
})

describe('keys at the console', { skip: skipBrowser() }, () => {
  let app: TestApp
  let browser: Browser
  before(async () => {
    app = await startTestApp({ SIGNUPS_PER_HOUR: '1000', KEYS_PER_ACCOUNT: '3' })
    await app.publish([anIncident()])
    browser = await sharedBrowser()
  })
  afterEach(async () => {
    for (const context of browser.contexts()) await context.close()
  })
  after(async () => {
    await releaseBrowser()
    await app?.[Symbol.asyncDispose]()
  })

  it('leads from the map to a key and a first answer, with one field and one click', async () => {
    const { page, problems } = await openConsole(browser, app.url, '/')
    await page.getByRole('link', { name: 'For developers' }).first().click()
    const key = await signUp(page, 'dev@example.org')
    assert.match(key, /^inf_live_\w{36}$/)
    assert.equal((await app.get('/v1/incidents', key)).status, 200)
    for (const language of ['JavaScript', 'Python', 'PHP', 'Go', 'curl']) {
      await page.getByRole('button', { name: language, exact: true }).click()
      assert.ok((await page.locator('.code').first().textContent())!.includes(key), language)
    }
    await page.getByRole('button', { name: 'Run it' }).click()
    await page.getByText('Status 200').waitFor()
    assert.ok((await page.getByLabel('The answer').textContent())!.includes(anIncident().id))
    assert.deepEqual(problems, [])
    await page.reload()
    await page.getByRole('heading', { name: 'Start' }).waitFor()
    assert.ok(!(await page.content()).includes(key), 'the key is shown again')
    await page.getByRole('button', { name: 'Run it' }).click()
    await page.getByText('Status 200').waitFor()
  })

  it('says in words what is wrong with an address, and when sign-up is limited or closed', async () => {
    const { page } = await openConsole(browser, app.url)
    await page.getByLabel('E-mail address').fill('a..b@example.org')
    await page.getByRole('button', { name: 'Get my key' }).click()
    await page.getByRole('alert').filter({ hasText: 'must be an e-mail address' }).waitFor()
    await using closed = await startTestApp({ SIGNUP: 'closed' })
    const other = await openConsole(browser, closed.url)
    await other.page.getByText('gives out keys by hand').waitFor()
    await using limited = await startTestApp({ SIGNUPS_PER_HOUR: '1' })
    const first = await openConsole(browser, limited.url)
    await signUp(first.page, 'a@example.org')
    const second = await openConsole(browser, limited.url)
    await second.page.getByLabel('E-mail address').fill('b@example.org')
    await second.page.getByRole('button', { name: 'Get my key' }).click()
    await second.page.getByRole('alert').filter({ hasText: 'One address may request 1 keys per hour' }).waitFor()
  })

  it('makes, renames, replaces and deletes keys, and keeps the last one', async () => {
    const { page } = await openConsole(browser, app.url)
    const first = await signUp(page, 'keys@example.org')
    await page.getByRole('link', { name: 'Keys and usage' }).click()
    await page.getByRole('button', { name: 'New key' }).click()
    await page.getByLabel('Name').fill('web page')
    await page.getByLabel('Kind').selectOption('publishable')
    await page.getByLabel('Origins').fill('https://example.org/')
    await page.getByLabel('Expires').selectOption('In 30 days')
    await page.getByRole('button', { name: 'Make the key' }).click()
    assert.match((await page.locator('.secret').textContent())!, /^inf_pub_/)
    await page.getByText('from https://example.org').waitFor()
    await page.getByRole('button', { name: 'Edit web page' }).click()
    await page.getByLabel('Name').fill('shop')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByRole('button', { name: 'Replace shop' }).click()
    await page.getByRole('button', { name: 'Replace it' }).click()
    await page.getByRole('button', { name: 'Edit shop' }).nth(1).waitFor()

    // The account has three keys now, which is all it may have.
    await page.getByRole('button', { name: 'New key' }).click()
    await page.getByRole('button', { name: 'Make the key' }).click()
    await page.getByRole('alert').filter({ hasText: 'An account may have 3 valid keys' }).waitFor()
    await page.getByRole('button', { name: 'Cancel' }).click()

    const own = page.locator('tr', { hasText: 'this page' })
    await own.getByRole('button', { name: 'Delete' }).click()
    await page.getByText('you will have to sign in again').waitFor()
    await page.getByRole('button', { name: 'Delete it' }).click()
    await page.getByText('It is your last key').waitFor()
    assert.equal((await app.get('/v1/me', first)).status, 200)
    await page.getByRole('button', { name: 'Delete my last key' }).click()
    await page.getByText('Your session has ended').waitFor()
    assert.equal((await app.get('/v1/me', first)).status, 401)
  })

  it('signs in again without leaving the page once the session has ended', async () => {
    const { page } = await openConsole(browser, app.url)
    const key = await signUp(page, 'ended@example.org')
    await page.getByRole('link', { name: 'Keys and usage' }).click()
    await page.getByRole('button', { name: 'New key' }).click()
    await page.getByLabel('Name').fill('half-written')
    await page.context().clearCookies()
    await page.getByRole('button', { name: 'Make the key' }).click()
    await page.getByText('What you have entered is kept').waitFor()
    assert.equal(await page.getByLabel('Name').inputValue(), 'half-written')
    await page.getByRole('button', { name: 'Cancel' }).click()
    await page.getByLabel('Key', { exact: true }).fill(`${key}x`)
    await page.getByRole('button', { name: 'Sign in with a key' }).click()
    await page.getByRole('alert').filter({ hasText: 'checksum' }).waitFor()
    await page.getByLabel('Key', { exact: true }).fill(key)
    await page.getByRole('button', { name: 'Sign in with a key' }).click()
    await page.getByText('Your session has ended').waitFor({ state: 'detached' })
  })

  it('has no barrier that axe finds, and fits every width in both themes', async () => {
    const { page } = await openConsole(browser, app.url)
    const wanted = [...looks(390), [1024, 'dark'], [1440, 'light']] as const
    const check = (what: string) => assertAccessibleIn(page, wanted, what)
    await check('signing up')
    await signUp(page, 'axe@example.org')
    await check('the start')
    await page.getByRole('link', { name: 'Keys and usage' }).click()
    await page.getByRole('button', { name: 'New key' }).click()
    await check('a dialog')
    await page.getByRole('button', { name: 'Cancel' }).click()
    await check('keys')
  })
})
