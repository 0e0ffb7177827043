import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { skipBrowser } from '../support/browser.ts'
import { aReport } from '../support/incident.ts'
import { startEndpoint } from '../support/receivers.ts'
import { openMember, signIn } from '../support/sign-in.ts'
import { type BrowserFixture, minutesAgo, savingData, startBrowserFixture, withoutWebGl } from './browser-fixture.ts'

/** Ninety letters without a place to break. */
const LONG = 'Gidanmaigarin'.repeat(7).slice(0, 90)
const SETTINGS = { WEBHOOK_ALLOW_PRIVATE: 'true' }
const INCIDENT = minutesAgo(30, 1, {
  summary: `Gunmen abducted eleven people near ${LONG}.`,
  location: { ...minutesAgo(30, 1).location, place: LONG },
  sources: [{ url: `https://example.org/${LONG}`, publisher: LONG, published_at: null }],
})
const PHONE = 390
const LOOKS = [
  { width: 1280, height: 800, colorScheme: 'light' },
  { width: 1600, height: 900, colorScheme: 'light' },
  { width: PHONE, height: 844, colorScheme: 'dark' },
] as const

describe('words of 90 letters', { skip: skipBrowser() }, () => {
  const parts = new AsyncDisposableStack()
  let fixture: BrowserFixture
  let cookie: { name: string; value: string; url: string; httpOnly: boolean; sameSite: 'Strict' }
  let ids: Record<'watch' | 'delivery' | 'report', string>

  before(async () => {
    fixture = parts.use(await startBrowserFixture(SETTINGS))
    const { app } = fixture
    await app.publish([INCIDENT])
    const account = await openMember(app.store, 'admin', { name: LONG, email: `${LONG.slice(0, 60)}@example.org` })
    const person = await signIn(app, 'admin', account)
    const [name, value] = person.cookie.split('=') as [string, string]
    cookie = { name, value, url: fixture.url, httpOnly: true, sameSite: 'Strict' }
    const post = async (path: string, body?: unknown) => {
      const response = await person.send('POST', path, body)
      assert.ok(response.ok, `${path}: ${await response.clone().text()}`)
      return (await response.json()) as { id: string }
    }
    const endpoint = parts.use(await startEndpoint())
    await post('/v1/keys', { name: LONG })
    await post('/v1/areas', { name: LONG, circle: { lat: 10.45, lng: 7.33, radius_km: 30 } })
    await post('/v1/sites', { name: LONG, sites: [{ name: LONG, latitude: 10.45, longitude: 7.33, radius_km: 5 }] })
    const watch = await post('/v1/watches', { name: LONG, url: `${endpoint.url}/${LONG}`, filter: { state: 'Kaduna' } })
    const delivery = await post(`/v1/watches/${watch.id}/test`)
    await post('/v1/admin/sources', { url: `${endpoint.url}/${LONG}`, publisher: LONG, paused: true })
    await post('/v1/admin/places', { name: LONG, lat: 10.4, lng: 7.4 })
    await post('/v1/desk/publishers', { name: LONG, class: 'local' })
    await post('/v1/admin/accounts', { name: LONG, email: `${LONG.slice(0, 60)}@example.com`, role: 'editor' })
    const sources = [{ publisher: LONG, url: `https://example.org/${LONG}` }]
    const written = { summary: `Gunmen at ${LONG} took ${LONG}`, text: `${LONG} ${LONG}`, sources }
    const near = { lat: 10.45, lng: 7.33, place: LONG, state: null }
    const report = await post('/v1/reports', aReport({ ...written, ...near }))
    await post('/v1/reports', aReport({ ...written, ...near, occurred_at: '2026-05-01T07:30:00Z' }))
    await post(`/v1/desk/incidents/${report.id}/notes`, { note: `${LONG} ${LONG}` })
    ids = { watch: watch.id, delivery: delivery.id, report: report.id }
  })
  after(() => parts.disposeAsync())

  /** Opens each page in each look, and lists what is wider than it may be. */
  async function wideParts(pages: Readonly<Record<string, string>>, isSignedIn: boolean) {
    await using opened = await fixture.open('/healthz', {}, async (page) => {
      await page.addInitScript(withoutWebGl)
      await savingData(page)
      if (isSignedIn) await page.context().addCookies([cookie])
    })
    const { page } = opened
    const wide: Record<string, readonly string[]> = {}
    for (const [path, sign] of Object.entries(pages)) {
      await page.setViewportSize(LOOKS[0])
      await page.goto(fixture.url + path)
      await page.locator('.app[aria-busy=true]').waitFor({ state: 'detached' })
      for (const { width, height, colorScheme } of LOOKS) {
        await page.setViewportSize({ width, height })
        await page.emulateMedia({ colorScheme })
        // On a phone the report covers the list once it is chosen there.
        if (width === PHONE && path.includes('report=')) await page.locator('.row-body').first().click()
        await page.getByText(sign).filter({ visible: true }).first().waitFor()
        // The map's page arranges itself anew after a change of its size.
        let found = await page.evaluate(listWideParts, LONG.slice(0, 13))
        for (let waited = 0; found.length > 0 && waited < 30; waited++) {
          await page.waitForTimeout(100)
          found = await page.evaluate(listWideParts, LONG.slice(0, 13))
        }
        if (found.length > 0) wide[`${path} at ${width}`] = found
      }
    }
    return wide
  }

  it('widen no public page', async () => {
    const pages = {
      '/': LONG,
      [`/incidents/${INCIDENT.id}`]: LONG,
      [`/?q=${LONG}`]: LONG,
      '/nigeria/kaduna/chikun': LONG,
      '/briefing': LONG,
      [`/alerts?incident=${INCIDENT.id}`]: LONG,
      [`/alerts?state=${LONG}`]: 'Tell me about this area',
      [`/sign-in?next=/${LONG}`]: 'Sign in',
      '/status': 'Status',
      '/docs': 'Incident Feed',
      '/docs/reference/keys': 'POST',
      '/report': 'Report',
      [`/${LONG}`]: 'There is nothing here',
    }
    assert.deepEqual(await wideParts(pages, false), {})
  })

  it('widen no part of the desk', async () => {
    const views = ['sources', 'publishers', 'members', 'audit', 'account']
    const pages = ['', `?report=${ids.report}`, ...views.map((view) => `?view=${view}`)]
    assert.deepEqual(await wideParts(Object.fromEntries(pages.map((page) => [`/desk${page}`, LONG])), true), {})
  })

  it('widen no part of the console', async () => {
    const ofWatch = `view=watches&watch=${ids.watch}`
    const ofDelivery = `view=deliveries&delivery=${ids.delivery}`
    const views = ['keys', 'watches', 'areas', 'sites', 'deliveries'].map((view) => `view=${view}`)
    const pages = [...views, ofWatch, ofDelivery].map((query) => [`/console?${query}`, LONG])
    assert.deepEqual(await wideParts(Object.fromEntries(pages), true), {})
  })
})

/**
 * Runs in the page. Lists whatever makes it scroll sideways, is cut off at the edge of the window,
 * or leaves the element that it stands in. Code, tables and tabs scroll within themselves.
 */
function listWideParts(word: string): string[] {
  const nameOf = (element: Element) => `${element.tagName.toLowerCase()}.${element.getAttribute('class') ?? ''}`
  const seen = [...document.body.querySelectorAll('*')].filter((each) => each.checkVisibility())
  const wide = document.documentElement.scrollWidth - innerWidth
  const found = wide > 0 ? [`the page by ${wide} px`] : []
  for (const element of seen) {
    const { overflowX } = getComputedStyle(element)
    const mayScroll = element.matches('pre, .code, .scroll, .tabs, .table-scroller')
    if (/auto|scroll/.test(overflowX) && !mayScroll && element.scrollWidth > element.clientWidth + 1)
      found.push(`${nameOf(element)} scrolls`)
    for (const node of element.childNodes) {
      if (element.closest('pre') || node.nodeType !== Node.TEXT_NODE || !node.textContent!.includes(word)) continue
      const range = document.createRange()
      range.selectNodeContents(node)
      const { right } = range.getBoundingClientRect()
      for (let at: Element | null = element; at !== null; at = at.parentElement) {
        if (right > at.getBoundingClientRect().right + 1 && getComputedStyle(at).overflowX === 'visible')
          found.push(`${nameOf(element)} leaves ${nameOf(at)}`)
        if (getComputedStyle(at).overflowX !== 'visible') break
      }
    }
  }
  return [...new Set(found)]
}
