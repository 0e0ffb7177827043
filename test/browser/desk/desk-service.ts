import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import type { Browser, Page } from 'playwright-core'
import { generateKey } from '../../../src/domain/keys.ts'
import { startTestApp, until } from '../../support/app.ts'
import { type RunningCommand, runCommand, startCommand } from '../../support/commands.ts'
import { TEST_SECRETS_KEY } from '../../support/databases/stores.ts'
import { temporaryFolder } from '../../support/folder.ts'
import { freePort } from '../../support/receivers.ts'
import { cookieOf, postSession } from '../../support/sign-in.ts'
import { WITHOUT_WORKER, withCoarseMaps, withoutWebGl } from '../browser-fixture.ts'

/** A service with the desk. */
export interface DeskService extends AsyncDisposable {
  readonly url: string
  /** Sends a request with the operator's key. */
  send<Body = unknown>(method: string, path: string, body?: unknown): Promise<Body>
  /** Invites a person and opens the desk for them in a browser of their own. */
  openDesk(browser: Browser, name: string, role?: string, options?: OpenOptions): Promise<Page>
  /** Imports a file into the database of the service. */
  import(format: string, path: string): Promise<void>
}

/** The service as a process of its own, at one address, which can be killed and started again. */
export interface DeskProcess extends DeskService {
  /** Kills the process as a crash would. */
  kill(): Promise<void>
  start(): Promise<void>
}

export interface OpenOptions {
  readonly width?: number
  readonly height?: number
  /** Whether the map beside a report is drawn: that takes seconds of processor time. */
  readonly drawsMap?: boolean
  readonly prepare?: (page: Page) => Promise<unknown>
  readonly bypassCSP?: boolean
}

export async function startDeskService(): Promise<DeskService> {
  const folder = await temporaryFolder()
  const settings = settingsIn(folder.path)
  const app = await startTestApp(settings)
  return {
    ...deskAt(app.url, settings),
    async [Symbol.asyncDispose]() {
      await app[Symbol.asyncDispose]()
      await folder[Symbol.asyncDispose]()
    },
  }
}

export async function startDeskProcess(): Promise<DeskProcess> {
  const folder = await temporaryFolder()
  const port = await freePort()
  const url = `http://127.0.0.1:${port}`
  const settings = settingsIn(folder.path)
  let command: RunningCommand | null = null
  const kill = async () => {
    const killed = command
    command = null
    killed?.child.kill('SIGKILL')
    await killed?.ended
  }
  const start = async () => {
    command = startCommand(['--port', String(port)], { ...settings, LOG_LEVEL: 'silent' })
    await until(async () => {
      if (command!.child.exitCode !== null) throw new Error(command!.output())
      return (await fetch(`${url}/readyz`).catch(() => null))?.ok === true
    }, 'the service')
  }
  await start()
  return {
    ...deskAt(url, settings),
    kill,
    start,
    async [Symbol.asyncDispose]() {
      await kill()
      await folder[Symbol.asyncDispose]()
    },
  }
}

const settingsIn = (folder: string) => ({
  DATABASE_URL: `sqlite:${join(folder, 'desk.db')}`,
  OPERATOR_KEY: generateKey('live', randomBytes),
  RATE_LIMIT: '1000000',
  SECRETS_KEY: TEST_SECRETS_KEY,
  WEBHOOK_ALLOW_PRIVATE: 'true',
})

function deskAt(url: string, settings: ReturnType<typeof settingsIn>): Omit<DeskService, typeof Symbol.asyncDispose> {
  const send = async <Body>(method: string, path: string, body?: unknown): Promise<Body> => {
    const response = await fetch(url + path, {
      method,
      headers: {
        authorization: `Bearer ${settings.OPERATOR_KEY}`,
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${await response.text()}`)
    return (await response.json()) as Body
  }
  return {
    url,
    send,
    async import(format, path) {
      const { DATABASE_URL, SECRETS_KEY } = settings
      const { code, output } = await runCommand(['import', format, path], { DATABASE_URL, SECRETS_KEY })
      if (code !== 0) throw new Error(output)
    },
    async openDesk(browser, name, role = 'editor', given = {}) {
      const { width = 1440, height = 900, drawsMap = false, prepare, ...options } = given
      const email = `${name.toLowerCase().replaceAll(' ', '.')}@example.org`
      const { invitation } = await send<{ invitation: { url: string } }>('POST', '/v1/admin/accounts', {
        email,
        name,
        role,
      })
      const response = await postSession(url, { token: new URL(invitation.url).searchParams.get('token') })
      const [cookieName, value] = cookieOf(response)!.split('=') as [string, string]
      const context = await browser.newContext({
        ...WITHOUT_WORKER,
        viewport: { width, height },
        reducedMotion: 'reduce',
        ...options,
      })
      await context.addCookies([{ name: cookieName, value, url, httpOnly: true, sameSite: 'Strict' }])
      await context.addInitScript(drawsMap ? withCoarseMaps : withoutWebGl)
      const page = await context.newPage()
      page.setDefaultTimeout(30_000)
      await prepare?.(page)
      await page.goto(`${url}/desk`)
      return page
    },
  }
}

/** An editor who uses nothing but the keyboard. */
export class Editor {
  readonly page: Page
  constructor(page: Page) {
    this.page = page
  }

  /** The id and the summary of the report on the screen. */
  async current(): Promise<{ id: string; summary: string }> {
    const heading = this.page.locator('.report-head h1')
    return { id: (await heading.getAttribute('data-report'))!, summary: await heading.innerText() }
  }

  press(key: string): Promise<void> {
    return this.page.keyboard.press(key)
  }

  /** Presses the keys of a decision and waits until another report is shown. */
  async decide(...keys: string[]): Promise<void> {
    const { id } = await this.current()
    for (const key of keys) {
      await this.press(key)
      // The next key belongs to the dialog, which opens within the same frame.
      if (keys.length > 1 && key === keys[0]) await this.page.waitForSelector('dialog[open]')
    }
    await this.page.waitForFunction(
      (before) => document.querySelector('.report-head h1')?.getAttribute('data-report') !== before,
      id,
    )
  }

  /** Merges the report into its likeliest duplicate. */
  async merge(): Promise<void> {
    const { id } = await this.current()
    await this.press('m')
    // Enter merges once the other report has been read and the button has the focus.
    await this.page.waitForFunction(() => document.activeElement?.matches('dialog button[type=submit]'))
    await this.press('Enter')
    await this.page.waitForFunction(
      (before) => document.querySelector('.report-head h1')?.getAttribute('data-report') !== before,
      id,
    )
  }

  /** Opens the form of the facts and writes into one of its fields. */
  async correct(label: string, value: string): Promise<void> {
    await this.press('e')
    await this.page.waitForSelector('form.editor')
    await this.tabTo(label)
    await this.press('Control+a')
    await this.page.keyboard.type(value)
    await this.press('Control+Enter')
    await this.page.waitForSelector('form.editor', { state: 'detached' })
  }

  /** Goes to the field whose label begins so. */
  async tabTo(label: string): Promise<void> {
    const isThere = () =>
      this.page.evaluate(
        (wanted) =>
          document.activeElement?.closest('label')?.querySelector('span')?.textContent?.startsWith(wanted) === true,
        label,
      )
    for (let tabs = 0; tabs < 30; tabs++) {
      if (await isThere()) return
      await this.press('Tab')
    }
    throw new Error(`the field “${label}” is not reached with Tab`)
  }

  /** Waits until every decision has been answered. */
  async settled(): Promise<void> {
    await until(
      () => this.page.evaluate(() => !Object.keys(localStorage).some((name) => name.startsWith('desk-decision:'))),
      'all decisions to be answered',
    )
  }
}

const TOWNS = [
  ['Gusau', 'Zamfara'],
  ['Konduga', 'Borno'],
  ['Makurdi', 'Benue'],
  ['Mangu', 'Plateau'],
  ['Jalingo', 'Taraba'],
  ['Lokoja', 'Kogi'],
  ['Minna', 'Niger'],
  ['Ikeja', 'Lagos'],
  ['Warri', 'Delta'],
  ['Owerri', 'Imo'],
  ['Abeokuta', 'Ogun'],
  ['Katsina', 'Katsina'],
  ['Birnin Kebbi', 'Kebbi'],
  ['Yola', 'Adamawa'],
  ['Damaturu', 'Yobe'],
] as const
const TYPES = ['kidnapping', 'banditry', 'armed_robbery', 'cult_clash', 'protest'] as const
const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS

/** A report of an event that no other number is near to, in place and time. */
export function reportNumber(number: number, now: number) {
  const [place, state] = TOWNS[number % TOWNS.length]!
  const type = TYPES[number % TYPES.length]!
  const day = now - 2 * HOUR_MS - Math.floor(number / TOWNS.length) * 9 * DAY_MS
  return {
    type,
    place,
    state,
    occurred_at: new Date(day).toISOString(),
    summary: `Event ${number}: ${type.replaceAll('_', ' ')} at ${place}.`,
    text: `Event ${number} happened at ${place} in ${state}. ${number + 1} people were hurt, a resident said.`,
    casualties: { injured: number + 1 },
    sources: [{ url: `https://example.org/${number}`, publisher: 'Example Daily' }],
  }
}

/** Another report of the same event, an hour later and by another publisher. */
export function secondReport(number: number, now: number) {
  const first = reportNumber(number, now)
  return {
    ...first,
    occurred_at: new Date(Date.parse(first.occurred_at) + HOUR_MS).toISOString(),
    summary: `Event ${number} again: ${first.type.replaceAll('_', ' ')} at ${first.place}.`,
    casualties: { injured: number + 3 },
    sources: [{ url: `https://example.com/${number}`, publisher: 'Punch' }],
  }
}
