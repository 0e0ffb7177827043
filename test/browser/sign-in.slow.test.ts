import assert from 'node:assert/strict'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, afterEach, before, describe, it } from 'node:test'
import type { Browser, BrowserContext, CDPSession, Page } from 'playwright-core'
import { issueSignInLink, LINK_VALID_MS } from '../../src/accounts/sign-in.ts'
import { startTestApp, type TestApp } from '../support/app.ts'
import { releaseBrowser, sharedBrowser, skipBrowser } from '../support/browser.ts'
import { aReport } from '../support/incident.ts'
import { openMember, signIn, signInBrowser } from '../support/sign-in.ts'
import { assertAccessibleIn, looks, WITHOUT_WORKER } from './browser-fixture.ts'

describe('the page /sign-in', { skip: skipBrowser() }, () => {
  let app: TestApp
  let browser: Browser
  let context: BrowserContext
  /** By its name: passkeys do not work for numbers. */
  let url: string

  before(async () => {
    app = await startTestApp()
    url = app.url.replace('127.0.0.1', 'localhost')
    browser = await sharedBrowser()
  })
  afterEach(() => context.close())
  after(async () => {
    await releaseBrowser()
    await app[Symbol.asyncDispose]()
  })

  async function open(path: string, options: Parameters<Browser['newContext']>[0] = {}): Promise<Page> {
    context = await browser.newContext({ ...WITHOUT_WORKER, viewport: { width: 390, height: 844 }, ...options })
    const page = await context.newPage()
    await page.goto(url + path)
    return page
  }

  async function linkTo(accountId: string, now = Date.now()): Promise<string> {
    const link = await issueSignInLink(app.store, url, { accountId: accountId }, now)
    return link.url.slice(url.length)
  }

  /** The role of who is signed in, or the status of the refusal. */
  async function whoAmI(page: Page): Promise<string | number> {
    const response = await page.request.get(`${url}/v1/me`)
    return ((await response.json()) as { account?: { role: string } }).account?.role ?? response.status()
  }

  it('spends a link only after a click, and goes to the address that was wanted', async () => {
    const account = await openMember(app.store, 'editor')
    const path = await linkTo(account.id)
    for (const scanner of [1, 2]) assert.equal((await fetch(app.url + path)).status, 200, `scanner ${scanner}`)
    const page = await open(`${path}&next=${encodeURIComponent('/about?a=1#b')}`)
    await page.getByRole('button', { name: 'Sign in', exact: true }).click()
    await page.waitForURL(`${url}/about?a=1#b`)
    assert.equal(await whoAmI(page), 'editor')
    assert.equal(await page.evaluate(() => document.cookie), '', 'a script can read the cookie')
    await page.goto(`${url}/sign-in?next=/about`)
    await page.waitForURL(`${url}/about`)
  })

  it('says that a link was used, or has expired, and offers the other ways', async () => {
    const account = await openMember(app.store, 'editor')
    const path = await linkTo(account.id)
    const page = await open(`${path}&next=/about`)
    await page.getByRole('button', { name: 'Sign in', exact: true }).click()
    await page.waitForURL(`${url}/about`)
    await context.clearCookies()
    await page.goto(url + path)
    await page.getByRole('button', { name: 'Sign in', exact: true }).click()
    await page.getByRole('alert').filter({ hasText: 'used already' }).waitFor()
    await page.goto(url + (await linkTo(account.id, Date.now() - LINK_VALID_MS)))
    await page.getByRole('button', { name: 'Sign in', exact: true }).click()
    await page.getByRole('alert').filter({ hasText: 'has expired' }).waitFor()
    await page.getByRole('button', { name: 'Sign in with a key' }).waitFor()
  })

  it('signs in with a key, and refuses a wrong one in words', async () => {
    const { text } = await app.issue({ scopes: ['read', 'watch', 'report'] })
    const page = await open('/sign-in?next=/about')
    await page.getByLabel('Key').fill('inf_live_nothing')
    await page.getByRole('button', { name: 'Sign in with a key' }).click()
    await page.getByRole('alert').filter({ hasText: 'checksum' }).waitFor()
    await page.getByLabel('Key').fill(text)
    await page.getByRole('button', { name: 'Sign in with a key' }).click()
    await page.waitForURL(`${url}/about`)
    assert.equal(await whoAmI(page), 'reporter')
  })

  it('never goes to another site', async () => {
    const account = await openMember(app.store, 'editor')
    const page = await open(`${await linkTo(account.id)}&next=${encodeURIComponent('//evil.example/')}`)
    await page.getByRole('button', { name: 'Sign in', exact: true }).click()
    await page.waitForURL((at) => at.pathname === '/desk')
    assert.equal(new URL(page.url()).origin, url)
  })

  it('adds a passkey and signs in with it; removing it and signing out everywhere work', async () => {
    const page = await open('/sign-in')
    const devices = await withVirtualAuthenticator(context, page)
    await signInBrowser(context, app, 'editor', url)
    await page.goto(`${url}/sign-in`)
    await page.getByLabel('Name of this device').fill('Test laptop')
    await page.getByRole('button', { name: 'Add a passkey' }).click()
    await page.getByText('Test laptop was added.').waitFor()
    assert.equal(await devices.count(), 1)

    await page.getByRole('button', { name: 'Sign out', exact: true }).first().click()
    await page.getByRole('heading', { name: 'Sign in', exact: true }).waitFor()
    assert.equal(await whoAmI(page), 401)
    await page.goto(`${url}/sign-in?next=/about`)
    await page.getByRole('button', { name: 'Sign in with a passkey' }).click()
    await page.waitForURL(`${url}/about`)
    assert.equal(await whoAmI(page), 'editor')

    await page.goto(`${url}/sign-in`)
    await page.getByRole('button', { name: 'Remove Test laptop' }).click()
    await page.getByText('Test laptop was removed.').waitFor()
    await page.getByRole('button', { name: 'Sign out everywhere' }).click()
    await page.getByRole('button', { name: 'Sign in with a passkey' }).click()
    await page.getByRole('alert').filter({ hasText: 'not known here' }).waitFor()
  })

  it('lists the sessions and ends one of them', async () => {
    const page = await open('/about')
    const own = await signInBrowser(context, app, 'editor', url)
    const other = await signIn(app, 'editor', own.account)
    await page.goto(`${url}/sign-in`)
    const rows = page.getByRole('region', { name: 'Where you are signed in' }).getByRole('listitem')
    await rows.nth(1).waitFor()
    await rows.filter({ hasNotText: 'this browser' }).getByRole('button').click()
    await rows.nth(1).waitFor({ state: 'detached' })
    assert.equal((await other.send('GET', '/v1/me')).status, 401)
    assert.equal(await whoAmI(page), 'editor')
  })

  it('has nothing that axe finds, at 390 px in both themes, before and after signing in', async () => {
    const page = await open('/sign-in')
    await page.getByRole('heading', { level: 1 }).waitFor()
    await assertAccessibleIn(page, looks(390), 'the ways to sign in')
    await signInBrowser(context, app, 'editor', url)
    await page.goto(`${url}/sign-in`)
    await page.getByText('this browser').waitFor()
    await assertAccessibleIn(page, looks(390), 'signed in')
  })

  it('is no use to a page of another origin, even on the same host', async () => {
    const cookies: (string | undefined)[] = []
    const evil = createServer((request, response) => {
      cookies.push(request.headers.cookie)
      response.writeHead(200, { 'content-type': 'text/html' }).end('<h1>Evil</h1>')
    })
    await new Promise<void>((resolve) => evil.listen(0, 'localhost', resolve))
    try {
      const page = await open('/about')
      const editor = await signInBrowser(context, app, 'editor', url)
      const reported = await editor.send('POST', '/v1/reports', aReport())
      assert.equal(reported.status, 201)
      const { data } = (await (await editor.send('GET', '/v1/desk/incidents')).json()) as { data: { id: string }[] }
      const confirm = `/v1/desk/incidents/${data[0]!.id}/confirm`
      await page.goto(`http://localhost:${(evil.address() as AddressInfo).port}/`)
      assert.match(cookies[0] ?? '', /session=/, 'the browser would not send the cookie anyway: nothing is shown')
      const statuses: number[] = []
      page.on('response', (response) => statuses.push(response.status()))
      const outcomes = await page.evaluate(
        async ([service, path]) => {
          const attempts: [string, RequestInit][] = [
            ['/v1/me', { credentials: 'include' }],
            ['/v1/sessions', { method: 'DELETE', credentials: 'include' }],
            [path!, { method: 'POST', credentials: 'include', mode: 'no-cors' }],
            [
              path!,
              { method: 'POST', credentials: 'include', headers: { 'content-type': 'application/json' }, body: '{}' },
            ],
          ]
          const results: string[] = []
          for (const [where, request] of attempts)
            results.push(
              await fetch(service + where, request).then(
                ({ type }) => type,
                () => 'refused',
              ),
            )
          return results
        },
        [url, confirm] as const,
      )
      assert.deepEqual(outcomes, ['refused', 'refused', 'opaque', 'refused'])
      assert.ok(!statuses.includes(200), `an attempt succeeded: ${statuses.join(', ')}`)
      const after = (await (await editor.send('GET', '/v1/desk/incidents')).json()) as { data: { id: string }[] }
      assert.deepEqual(
        after.data.map(({ id }) => id),
        data.map(({ id }) => id),
        'the report was confirmed',
      )
      // The same request from a page of the service itself goes through.
      await page.goto(`${url}/sign-in`)
      const own = await page.evaluate(async (path) => (await fetch(path, { method: 'POST' })).status, confirm)
      assert.equal(own, 200)
    } finally {
      evil.closeAllConnections()
      await new Promise((resolve) => evil.close(resolve))
    }
  })
})

/** An authenticator as a phone or laptop has one built in; its person always agrees. */
async function withVirtualAuthenticator(context: BrowserContext, page: Page) {
  const devtools: CDPSession = await context.newCDPSession(page)
  await devtools.send('WebAuthn.enable')
  const { authenticatorId } = await devtools.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  })
  return {
    async count() {
      return (await devtools.send('WebAuthn.getCredentials', { authenticatorId })).credentials.length
    },
  }
}
