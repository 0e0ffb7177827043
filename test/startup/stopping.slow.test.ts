import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { proxyTo } from '../store/proxy.ts'
import { startTestApp, until } from '../support/app.ts'
import { endCommands, startCommand } from '../support/commands.ts'
import { testDatabase } from '../support/databases/postgres.ts'
import { TEST_SECRETS_KEY } from '../support/databases/secrets-key.ts'

after(endCommands)

test('stopping ends while the database does not answer', async () => {
  await using database = await testDatabase()
  await using proxy = await proxyTo(database.url)
  const app = await startTestApp(
    { DATABASE_URL: proxy.url },
    { stopping: { requestsMs: 50, webhooksMs: 50, restMs: 50 } },
  )
  const { text } = await app.issue()
  await app.get('/v1/me', text)
  proxy.partition()
  // Waits for the database until the stop closes the connection.
  const waiting = app.post('/v1/keys', { name: 'Late' }, text).catch(() => null)
  await app[Symbol.asyncDispose]()
  assert.equal(await waiting, null)
  proxy.heal()
})

for (const [what, databaseUrl, started] of [
  ['before the database is there', 'postgres://127.0.0.1:1/none', /the database cannot be reached/],
  ['while it starts', 'sqlite::memory:', /Server listening/],
  ['once it is ready', 'sqlite::memory:', /"msg":"ready"/],
] as const) {
  test(`Ctrl-C ${what} ends the process without a stack trace`, async () => {
    const { child, ended, output } = startCommand(['--port', '0'], {
      DATABASE_URL: databaseUrl,
      SECRETS_KEY: TEST_SECRETS_KEY,
    })
    await until(() => started.test(output()), 'the start')
    child.kill('SIGINT')
    assert.equal(await ended, 0)
    const stoppingLines = output().slice(output().indexOf('stopping'))
    assert.doesNotMatch(stoppingLines, /\n {4}at |"level":[56]0|DOMException/)
    assert.match(output(), /"msg":"stopped"/)
  })
}

test('a second signal ends the process at once', async () => {
  const { child, ended, output } = startCommand(['--port', '0'], { DATABASE_URL: 'sqlite::memory:' })
  await until(() => /"msg":"ready"/.test(output()), 'the start')
  const url = /Server listening at (http:[^"]+)/.exec(output())![1]!
  // A half-sent body keeps the first stop waiting.
  const body = new ReadableStream({ start: (controller) => controller.enqueue(Buffer.from('{"email":')) })
  const headers = { 'content-type': 'application/json' }
  const pending = fetch(`${url}/v1/keys`, { method: 'POST', body, headers, duplex: 'half' }).catch(() => null)
  await until(async () => /connections_open [2-9]/.test(await (await fetch(`${url}/metrics`)).text()), 'the request')
  child.kill('SIGTERM')
  await until(() => /stopping: waiting/.test(output()), 'the stop')
  child.kill('SIGTERM')
  assert.equal(await ended, 1)
  assert.doesNotMatch(output(), /"msg":"stopped"/)
  await pending
})
