import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { statSync } from 'node:fs'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { describe, it } from 'node:test'
import { compareFiles } from '../../resilience/faults/moving/compare-files.ts'
import { csvOf, plainRow } from '../desk/importing/formats/fixtures.ts'
import { startTestApp, until } from '../support/app.ts'
import { runCommand, startCommand } from '../support/commands.ts'
import { testDatabase } from '../support/databases/postgres.ts'
import { openTestStore } from '../support/databases/stores.ts'
import { temporaryFolder } from '../support/folder.ts'
import { aReport } from '../support/incident.ts'
import { startEndpoint } from '../support/receivers.ts'

const SCOPES = ['read', 'watch', 'report', 'operate'] as const
/** The whole file has 11 MB, an empty store less than one. */
const KILL_AT_BYTES = 5_000_000
const SETTINGS = { WEBHOOK_ALLOW_PRIVATE: 'true' }

describe('incident-feed copy', () => {
  for (const direction of ['SQLite to PostgreSQL', 'PostgreSQL to SQLite'] as const)
    it(`moves a service from ${direction}: clients, imports and deliveries go on`, async () => {
      await using folder = await temporaryFolder()
      await using postgres = await testDatabase('empty')
      const file = `sqlite:${join(folder.path, 'feed.db')}`
      const [from, to] = direction === 'SQLite to PostgreSQL' ? [file, postgres.url] : [postgres.url, file]
      const rows = join(folder.path, 'history.csv')
      await writeFile(rows, csvOf([plainRow({ summary: 'As it was first known.' })]))
      const first = await runCommand(['import', '--create', 'csv', rows], { DATABASE_URL: from })
      assert.match(first.output, /^new +1$/m)

      await using endpoint = await startEndpoint()
      const accept = endpoint.answer
      endpoint.answer = (response) => response.writeHead(500).end()
      const idempotent = { 'idempotency-key': randomUUID() }
      let before: { key: string; answer: string; seq: number; list: string; watchId: string; pending: string[] }
      {
        await using app = await startTestApp({ ...SETTINGS, DATABASE_URL: from })
        const { text: key } = await app.issue({ scopes: SCOPES })
        const watch = await app.post('/v1/watches', { name: 'All', filter: {}, url: endpoint.url }, key)
        const { id: watchId } = (await watch.json()) as { id: string }
        const reported = await app.post('/v1/reports', aReport(), key, idempotent)
        assert.equal(reported.status, 201)
        const answer = await reported.text()
        const { id } = JSON.parse(answer) as { id: string }
        assert.equal((await app.post(`/v1/desk/incidents/${id}/confirm`, {}, key)).status, 200)
        await until(() => endpoint.messages.length === 1, 'an attempt')
        await until(async () => (await pendingOf(app.get, watchId, key)).length === 1, 'a delivery that waits')
        const list = await (await app.get('/v1/incidents?limit=1', key)).text()
        const pending = await pendingOf(app.get, watchId, key)
        const { seq } = await app.store.events.head()
        before = { key, answer, seq, list, watchId, pending }
      }

      const copied = await runCommand(['copy', '--from', from, '--to', to])
      assert.equal(copied.code, 0, copied.output)
      assert.match(copied.output, /^incidents +2 rows {2}[0-9a-f]{16}$/m)
      assert.match(copied.output, /^Copied: [\d,]+ rows in \d+ tables, each read back and equal\.$/m)

      endpoint.answer = accept
      await using app = await startTestApp({ ...SETTINGS, DATABASE_URL: to })
      const { key, watchId } = before
      const again = await app.post('/v1/reports', aReport(), key, idempotent)
      assert.equal(await again.text(), before.answer)
      const { next_cursor, data } = JSON.parse(before.list) as { next_cursor: string; data: { id: string }[] }
      const second = await app.get(`/v1/incidents?limit=1&cursor=${next_cursor}`, key)
      const page = (await second.json()) as { data: { id: string }[] }
      assert.equal(page.data.length, 1)
      assert.notEqual(page.data[0]!.id, data[0]!.id)
      await until(() => endpoint.messages.length === 2, 'the delivery that was pending')
      assert.equal(endpoint.messages[1]!.headers['webhook-id'], before.pending[0])
      await until(async () => (await pendingOf(app.get, watchId, key)).length === 0, 'its end')

      const next = await app.post('/v1/reports', aReport({ summary: 'After the move.', place: 'Anka' }), key)
      const { id } = (await next.json()) as { id: string }
      assert.equal((await app.post(`/v1/desk/incidents/${id}/confirm`, {}, key)).status, 200)
      assert.equal((await app.store.events.head()).seq, before.seq + 1)
      await until(() => endpoint.messages.length === 3, 'the next delivery')

      await writeFile(rows, csvOf([plainRow({ summary: 'As it is known today.' })]))
      const updated = await runCommand(['import', 'csv', rows], { DATABASE_URL: to })
      assert.match(updated.output, /^updated +1$/m)
    })

  it('continues after it was killed while it wrote a file', async () => {
    await using folder = await temporaryFolder()
    const [source, target] = ['one.db', 'other.db'].map((name) => join(folder.path, name)) as [string, string]
    await (await openTestStore(`sqlite:${source}`))[Symbol.asyncDispose]()
    {
      using database = new DatabaseSync(source)
      database.exec(
        `WITH RECURSIVE numbers (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < 20000)
         INSERT INTO publishers SELECT 'p' || n, printf('%0500d', n), 'newspaper', n FROM numbers`,
      )
    }
    const words = ['copy', '--from', `sqlite:${source}`, '--to', `sqlite:${target}`]
    const killed = startCommand(words)
    await until(() => sizeOf(target) + sizeOf(`${target}-wal`) > KILL_AT_BYTES, 'half of the file')
    killed.child.kill('SIGKILL')
    assert.equal(await killed.ended, null)
    await assert.rejects(openTestStore(`sqlite:${target}`), /has not finished/)
    const { code, output } = await runCommand(words)
    assert.equal(code, 0, output)
    assert.match(output, /^publishers +20,000 rows {2}[0-9a-f]{16}$/m)
    assert.match(output, /^Continued and finished: /m)
    assert.deepEqual(compareFiles(source, target).problems, [])
  })

  it('takes the key of the webhook secrets along, or says where it is', async () => {
    await using folder = await temporaryFolder()
    await using postgres = await testDatabase('empty')
    const [one, other] = ['one.db', 'other.db'].map((name) => join(folder.path, name)) as [string, string]
    await (await startTestApp({ DATABASE_URL: `sqlite:${one}`, SECRETS_KEY: '' }))[Symbol.asyncDispose]()
    const toFile = await runCommand(['copy', '--from', `sqlite:${one}`, '--to', `sqlite:${other}`])
    assert.equal(toFile.code, 0, toFile.output)
    assert.equal(await readFile(`${other}.secrets-key`, 'utf8'), await readFile(`${one}.secrets-key`, 'utf8'))
    const toServer = await runCommand(['copy', '--from', `sqlite:${one}`, '--to', postgres.url])
    assert.match(toServer.output, /one\.db\.secrets-key: set SECRETS_KEY to its content on every node/)
  })

  it('refuses in one sentence', async () => {
    await using folder = await temporaryFolder()
    const missing = `sqlite:${join(folder.path, 'missing.db')}`
    for (const [words, says] of [
      [['copy'], /name both stores/],
      [['copy', '--from', missing], /name both stores/],
      [
        ['copy', '--from', missing, '--to', 'mysql://x'],
        /^incident-feed: (There is no database at|The database must be)/,
      ],
      [['copy', '--from', missing, '--to', `${missing}2`], /^incident-feed: There is no database at .*missing\.db\n$/],
      [['copy', '--from', missing, '--to', missing], /the same store/],
    ] as const) {
      const { code, output } = await runCommand(words)
      assert.equal(code, 1, output)
      assert.match(output, says)
      assert.doesNotMatch(output, /\n {4}at /)
    }
  })
})

function sizeOf(path: string): number {
  return statSync(path, { throwIfNoEntry: false })?.size ?? 0
}

async function pendingOf(
  get: (path: string, key: string) => Promise<Response>,
  watchId: string,
  key: string,
): Promise<string[]> {
  const { data } = (await (await get(`/v1/watches/${watchId}/deliveries?status=pending`, key)).json()) as {
    data: { id: string; attempts: number }[]
  }
  return data.filter(({ attempts }) => attempts > 0).map(({ id }) => id)
}
