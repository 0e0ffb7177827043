import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { startTestApp, type TestApp, until } from '../support/app.ts'
import { aReport } from '../support/incident.ts'
import { startEndpoint, type TestEndpoint } from '../support/receivers.ts'

/** A name that is in no other text. */
export const NAME = 'Hauwa Tsamiya'
export const WORD = 'tsamiya'

export interface Repeatable {
  readonly path: string
  readonly body: unknown
  readonly idempotencyKey: string
}

/** A service in which a name is in every place that can hold one. */
export interface RedactionScene extends AsyncDisposable {
  readonly app: TestApp
  readonly editor: string
  readonly client: string
  readonly endpoint: TestEndpoint
  readonly watchIds: readonly string[]
  /** The confirmed incident; `mergedId` is a report merged into it. */
  readonly id: string
  readonly mergedId: string
  /** Requests whose stored answers contain the name. */
  readonly requests: readonly Repeatable[]
  redact(body: object, headers?: Record<string, string>): Promise<Response>
  moveClock(ms: number): void
}

export async function redactionScene(databaseUrl: string): Promise<RedactionScene> {
  await using scope = new AsyncDisposableStack()
  const endpoint = scope.use(await startEndpoint())
  // Repeats the message, as a badly made endpoint does.
  endpoint.answer = (response, { body, json }) => response.writeHead(json.watch === 'Failing' ? 500 : 200).end(body)
  let offset = 0
  const settings = { DATABASE_URL: databaseUrl, WEBHOOK_ALLOW_PRIVATE: 'true' }
  const app = scope.use(await startTestApp(settings, { clock: () => Date.now() + offset }))
  const editor = (await app.issue({ scopes: ['read', 'report', 'review'] })).text
  const client = (await app.issue()).text
  const requests: Repeatable[] = []

  /** Sends a request with an idempotency key, which stores its answer. */
  const ask = async <Body>(path: string, body: unknown): Promise<Body> => {
    const idempotencyKey = randomUUID()
    requests.push({ path, body, idempotencyKey })
    const response = await app.post(path, body, editor, { 'idempotency-key': idempotencyKey })
    assert.ok(response.ok, `${path}: ${response.status} ${await response.clone().text()}`)
    return (await response.json()) as Body
  }
  const watchIds: string[] = []
  for (const name of ['Working', 'Failing']) {
    const events = ['incident.created', 'incident.updated', 'incident.retracted']
    const made = await app.post('/v1/watches', { name, url: endpoint.url, filter: {}, events }, client)
    watchIds.push(((await made.json()) as { id: string }).id)
  }
  const report = {
    ...aReport(),
    summary: `Gunmen took ${NAME} from her home.`,
    text: `A neighbour said that ${NAME.toUpperCase()} was taken.`,
    sources: [{ url: 'https://punchng.com/hauwa-tsamiya-taken', publisher: `${NAME} Campaign` }],
  }
  const { id } = await ask<{ id: string }>('/v1/reports', report)
  const merged = await ask<{ id: string; desk: { possible_duplicates: { id: string }[] } }>('/v1/reports', {
    ...report,
    sources: [{ url: 'https://guardian.ng/tsamiya', publisher: 'The Guardian Nigeria' }],
  })
  assert.deepEqual(
    merged.desk.possible_duplicates.map((each) => each.id),
    [id],
  )
  await ask(`/v1/desk/incidents/${id}/confirm`, { note: `Her father confirmed: ${NAME}.` })
  await ask(`/v1/desk/incidents/${merged.id}/merge`, { into: id, note: `Also about ${NAME}.` })
  const { version } = (await (await app.get(`/v1/desk/incidents/${id}`, editor)).json()) as { version: number }
  const patched = await app.patch(
    `/v1/desk/incidents/${id}`,
    { summary: 'Gunmen took a woman from her home.', note: `${NAME} must not be named.` },
    editor,
    `"${version}"`,
  )
  assert.equal(patched.status, 200)
  for (const watchId of watchIds) assert.ok((await app.post(`/v1/watches/${watchId}/test`, {}, client)).ok)
  // Each watch has been sent every event, and has answered.
  await until(async () => {
    const attempted = await Promise.all(
      watchIds.map(async (watchId) => {
        const response = await app.get(`/v1/watches/${watchId}/deliveries`, client)
        const { data } = (await response.json()) as { data: { attempts: number; test?: boolean }[] }
        return data.filter(({ attempts }) => attempts > 0).length
      }),
    )
    return attempted.every((count) => count >= 4)
  }, 'the deliveries')
  const moved = scope.move()
  return {
    app,
    editor,
    client,
    endpoint,
    watchIds,
    id,
    mergedId: merged.id,
    requests,
    redact: (body, headers = {}) => app.post(`/v1/desk/incidents/${id}/redact`, body, editor, headers),
    moveClock: (ms) => {
      offset += ms
    },
    [Symbol.asyncDispose]: () => moved.disposeAsync(),
  }
}
