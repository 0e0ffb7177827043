import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import type { Browser, Page } from 'playwright-core'
import { generateKey } from '../../../src/domain/keys.ts'
import { until } from '../../support/app.ts'
import { type RunningCommand, runCommand, startCommand } from '../../support/commands.ts'
import { TEST_SECRETS_KEY } from '../../support/databases/secrets-key.ts'
import { temporaryFolder } from '../../support/folder.ts'
import { freePort } from '../../support/receivers.ts'
import { cookieOf, postSession } from '../../support/sign-in.ts'

/** The service as a process of its own, at one address, which can be killed and started again. */
export interface DeskService extends AsyncDisposable {
  readonly url: string
  /** Sends a request with the operator's key. */
  send<Body = unknown>(method: string, path: string, body?: unknown): Promise<Body>
  /** Invites a person and opens the desk for them in a browser of their own. */
  openDesk(browser: Browser, name: string, role?: string, options?: OpenOptions): Promise<Page>
  /** Imports a file into the database of the service. */
  import(format: string, path: string): Promise<void>
  /** Kills the process as a crash would. */
  kill(): Promise<void>
  start(): Promise<void>
}

export interface OpenOptions {
  readonly width?: number
  readonly height?: number
  readonly colorScheme?: 'light' | 'dark'
  readonly prepare?: (page: Page) => Promise<unknown>
  readonly bypassCSP?: boolean
}

export async function startDeskService(): Promise<DeskService> {
  const folder = await temporaryFolder()
  const port = await freePort()
  const url = `http://127.0.0.1:${port}`
  const key = generateKey('live', randomBytes)
  let command: RunningCommand | null = null
  const kill = async () => {
    const killed = command
    command = null
    killed?.child.kill('SIGKILL')
    await killed?.ended
  }
  const start = async () => {
    command = startCommand(['--port', String(port)], {
      DATABASE_URL: `sqlite:${join(folder.path, 'desk.db')}`,
      OPERATOR_KEY: key,
      RATE_LIMIT: '1000000',
      SECRETS_KEY: TEST_SECRETS_KEY,
      WEBHOOK_ALLOW_PRIVATE: 'true',
      LOG_LEVEL: 'silent',
    })
    await until(async () => {
      if (command!.child.exitCode !== null) throw new Error(command!.output())
      return (await fetch(`${url}/readyz`).catch(() => null))?.ok === true
    }, 'the service')
  }
  const send = async <Body>(method: string, path: string, body?: unknown): Promise<Body> => {
    const response = await fetch(url + path, {
      method,
      headers: {
        authorization: `Bearer ${key}`,
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${await response.text()}`)
    return (await response.json()) as Body
  }
  await start()
  return {
    url,
    send,
    kill,
    start,
    async import(format, path) {
      const { code, output } = await runCommand(['import', format, path], {
        DATABASE_URL: `sqlite:${join(folder.path, 'desk.db')}`,
        SECRETS_KEY: TEST_SECRETS_KEY,
      })
      if (code !== 0) throw new Error(output)
    },
    async openDesk(browser, name, role = 'editor', { width = 1440, height = 900, prepare, ...options } = {}) {
      const email = `${name.toLowerCase().replaceAll(' ', '.')}@example.org`
      const { invitation } = await send<{ invitation: { url: string } }>('POST', '/v1/admin/accounts', {
        email,
        name,
        role,
      })
      const response = await postSession(url, { token: new URL(invitation.url).searchParams.get('token') })
      const [cookieName, value] = cookieOf(response)!.split('=') as [string, string]
      const context = await browser.newContext({
        viewport: { width, height },
        reducedMotion: 'reduce',
        serviceWorkers: 'block',
        ...options,
      })
      await context.addCookies([{ name: cookieName, value, url, httpOnly: true, sameSite: 'Strict' }])
      const page = await context.newPage()
      page.setDefaultTimeout(30_000)
      await prepare?.(page)
      await page.goto(`${url}/desk`)
      return page
    },
    async [Symbol.asyncDispose]() {
      await kill()
      await folder[Symbol.asyncDispose]()
    },
  }
}
