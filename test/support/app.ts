import pino from 'pino'
import { type IssuedKey, type KeyRequest, openAccount } from '../../src/accounts/keys.ts'
import { type App, type StartOptions, start } from '../../src/app.ts'
import type { Archive } from '../../src/archive/archive.ts'
import { readConfig } from '../../src/config/read-config.ts'
import type { EventKind, Incident } from '../../src/domain/incident.ts'
import type { Store } from '../../src/store/store.ts'
import { keptThreads, TEST_SECRETS_KEY } from './databases/stores.ts'

/** A running service on a free port with a temporary database, and shorthands for requests. */
export interface TestApp extends AsyncDisposable {
  readonly app: App
  readonly url: string
  readonly store: Store
  readonly archive: Archive
  issue(request?: KeyRequest): Promise<IssuedKey>
  /** Writes incidents and waits until the archive has them. */
  publish(incidents: readonly Incident[], event?: EventKind): Promise<void>
  get(path: string, key?: string | null, headers?: Record<string, string>): Promise<Response>
  post(path: string, body: unknown, key?: string | null, headers?: Record<string, string>): Promise<Response>
  patch(path: string, body: unknown, key: string, ifMatch: string | null): Promise<Response>
  delete(path: string, key: string, body?: unknown): Promise<Response>
}

export async function startTestApp(
  settings: Record<string, string> = {},
  options: StartOptions = {},
): Promise<TestApp> {
  const config = readConfig(
    {
      DATABASE_URL: 'sqlite::memory:',
      PORT: '0',
      RATE_LIMIT: '1000000',
      SECRETS_KEY: TEST_SECRETS_KEY,
      METRICS_PUBLIC: 'true',
      ...settings,
    },
    [],
  )
  const app = await start(config, { logger: pino({ level: 'silent' }), sqlite: { threads: keptThreads }, ...options })
  const { store, archive } = await app.ready
  const clock = options.clock ?? Date.now
  const { text: ownKey } = await openAccount(store, { email: null, name: null }, {}, clock())
  const headersWith = (key: string | null, headers: Record<string, string>) => ({
    ...(key === null ? {} : { authorization: `Bearer ${key}` }),
    ...headers,
  })
  return {
    app,
    url: app.url,
    store,
    archive,
    issue: (request = {}) => openAccount(store, { email: 'test@example.org', name: 'Test' }, request, clock()),
    async publish(incidents, event = 'incident.created') {
      const events = await store.incidents.save(
        incidents.map((incident) => ({ incident, event })),
        clock(),
      )
      await until(() => archive.head.seq >= events.at(-1)!.seq)
    },
    get: (path, key = ownKey, headers = {}) =>
      fetch(app.url + path, { headers: headersWith(key, headers), redirect: 'manual' }),
    post: (path, body, key = ownKey, headers = {}) =>
      fetch(app.url + path, {
        method: 'POST',
        headers: headersWith(key, { 'content-type': 'application/json', ...headers }),
        body: typeof body === 'string' ? body : JSON.stringify(body),
      }),
    patch: (path, body, key, ifMatch) =>
      fetch(app.url + path, {
        method: 'PATCH',
        headers: headersWith(key, {
          'content-type': 'application/json',
          ...(ifMatch === null ? {} : { 'if-match': ifMatch }),
        }),
        body: JSON.stringify(body),
      }),
    delete: (path, key, body) =>
      fetch(app.url + path, {
        method: 'DELETE',
        headers: headersWith(key, body === undefined ? {} : { 'content-type': 'application/json' }),
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      }),
    [Symbol.asyncDispose]: () => app[Symbol.asyncDispose](),
  }
}

/**
 * Waits until the condition is true; the deadline turns a hang into a failure. Asks less and less
 * often: a condition may be a request.
 */
export async function until(condition: () => boolean | Promise<boolean>, what = 'the condition'): Promise<void> {
  const deadline = Date.now() + 300_000
  for (let pause = 2; !(await condition()); pause = Math.min(1.2 * pause, 50)) {
    if (Date.now() > deadline) throw new Error(`timed out waiting for ${what}`)
    await new Promise((resolve) => setTimeout(resolve, pause))
  }
}

export async function problemOf(response: Response): Promise<{
  status: number
  code: string
  detail: string
  resume_after?: string
  errors?: Record<string, unknown>[]
}> {
  const type = response.headers.get('content-type')
  if (type !== 'application/problem+json; charset=utf-8')
    throw new Error(`status ${response.status} as ${type} is not a problem document`)
  const problem = (await response.json()) as { status: number; code: string; detail: string; request_id: string }
  if (problem.status !== response.status)
    throw new Error(`the body says status ${problem.status}, but the response has ${response.status}`)
  if (problem.request_id !== response.headers.get('x-request-id'))
    throw new Error('request_id differs from the X-Request-Id header')
  return problem
}

/** Replaces methods of a part of an open store, for a failure at an exact moment. */
export function override<Part extends keyof Store>(store: Store, part: Part, methods: Partial<Store[Part]>): void {
  const original = store[part] as object
  const get = (_: object, name: string) => Reflect.get(methods as object, name) ?? Reflect.get(original, name)
  Object.assign(store, { [part]: new Proxy({}, { get }) })
}
