import assert from 'node:assert/strict'
import { machine } from '../../../src/lib/runtime.ts'
import { startTestApp, type TestApp, until } from '../../support/app.ts'

export interface SourceBody {
  id: string
  url: string
  publisher: string
  paused: boolean
  health: {
    status: string
    last_fetched_at: string | null
    last_succeeded_at: string | null
    next_fetch_at: string | null
    failures: number
    problem: { code: string; detail: string } | null
    moved_to: string | null
    items: number
    queued: number
    proposed: number
    confirmed: number
  }
}

export interface DeskReport {
  id: string
  status: string
  type: string
  state: string
  lga: string | null
  confidence: number
  summary: string
  version: number
  sources: { url: string | null; publisher: string; published_at: string | null }[]
  casualties: { killed: number | null; abducted: number | null }
  desk: {
    origin: string
    text: string | null
    undo?: { step: string; path: string } | null
    reading: { source_id: string; evidence: { field: string; text: string }[] } | null
  }
}

interface ItemBody {
  id: string
  state: string
  title: string
  incident_ids: string[]
  duplicate_of: string | null
}

/** A service that polls without delay and may fetch from the loopback address. */
export interface PollingScene extends AsyncDisposable {
  readonly app: TestApp
  readonly key: string
  addSource(url: string, publisher?: string): Promise<SourceBody>
  source(id: string): Promise<SourceBody>
  items(id: string, state?: string): Promise<ItemBody[]>
  reports(): Promise<DeskReport[]>
  proposals(): Promise<{ id: string; incident_id: string; source: { publisher: string } }[]>
  /** Makes the source due and waits for the end of its poll. */
  poll(id: string): Promise<SourceBody>
  /** Moves the monotonic clock of the service. */
  passTime(ms: number): void
  /** Sets the wall clock of the service. */
  setAhead(ms: number): void
}

export async function pollingScene(databaseUrl: string, allowPrivate = true, timeoutMs = 5_000): Promise<PollingScene> {
  let passed = 0
  let ahead = 0
  const app = await startTestApp(
    { DATABASE_URL: databaseUrl, WEBHOOK_ALLOW_PRIVATE: String(allowPrivate) },
    {
      sources: { intervalMs: 20, timeoutMs },
      runtime: {
        ...machine,
        elapsed: () => machine.elapsed() + passed,
        wallClock: () => machine.wallClock() + passed + ahead,
      },
    },
  )
  const { text: key } = await app.issue({ name: 'Desk', scopes: ['read', 'report', 'review', 'admin'] })
  const read = async <Body>(path: string): Promise<Body> => {
    const response = await app.get(path, key)
    assert.equal(response.status, 200, await response.clone().text())
    return (await response.json()) as Body
  }
  const source = (id: string) => read<SourceBody>(`/v1/admin/sources/${id}`)
  return {
    app,
    key,
    source,
    async addSource(url, publisher = 'Zamfara Herald') {
      const response = await app.post('/v1/admin/sources', { url, publisher, every_minutes: 60 }, key)
      assert.equal(response.status, 201, await response.clone().text())
      const { id } = (await response.json()) as SourceBody
      await until(async () => (await source(id)).health.last_fetched_at !== null, 'the first poll')
      return source(id)
    },
    items: async (id, state) =>
      (await read<{ data: ItemBody[] }>(`/v1/admin/sources/${id}/items${state ? `?state=${state}` : ''}`)).data,
    reports: async () => (await read<{ data: DeskReport[] }>('/v1/desk/incidents?duplicates=none&limit=200')).data,
    proposals: async () =>
      (
        await read<{ data: { id: string; incident_id: string; source: { publisher: string } }[] }>(
          '/v1/desk/proposed-sources',
        )
      ).data,
    async poll(id) {
      const before = (await app.store.sources.find(id))!.polling.polledAt
      await app.store.sources.change(id, { dueAt: 0 })
      await until(async () => (await app.store.sources.find(id))!.polling.polledAt !== before, 'the poll')
      return source(id)
    },
    passTime: (ms) => {
      passed += ms
    },
    setAhead: (ms) => {
      ahead = ms
    },
    [Symbol.asyncDispose]: () => app[Symbol.asyncDispose](),
  }
}
