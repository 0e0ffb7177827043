import assert from 'node:assert/strict'
import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { until } from './support/app.ts'
import { endCommands, type RunningCommand, runCommand, startCommand } from './support/commands.ts'
import { openTestStore } from './support/databases/stores.ts'
import { anIncident } from './support/incident.ts'

after(endCommands)

let folder: string
before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'incident-feed-'))
})
after(() => rm(folder, { recursive: true, force: true }))

async function serve(environment: Record<string, string>): Promise<RunningCommand & { url: string }> {
  const running = startCommand(['--port', '0'], environment)
  await until(() => /"msg":"ready"/.test(running.output()) || running.child.exitCode !== null, 'the start')
  const url = /Server listening at (http:[^"]+)/.exec(running.output())?.[1]
  assert.ok(url, running.output())
  return { ...running, url }
}

const WRONG: [string[], RegExp][] = [
  [['serv'], /^incident-feed: serv is not a command/],
  [['--port', 'eighty'], /^incident-feed: PORT takes a whole number from 0 to 65535, not "eighty"\n$/],
  [['--signup', 'email'], /^incident-feed: SIGNUP=email requires SMTP_URL/],
  [['--operator-key', 'secret'], /^incident-feed: OPERATOR_KEY is not a well-formed key/],
  [
    ['--database-url', 'mysql://localhost'],
    /^incident-feed: DATABASE_URL takes sqlite:<file>, sqlite::memory: or postgres:\/\/…, not "mysql:\/\/localhost"\n$/,
  ],
  [['keys', 'make'], /^incident-feed: the actions of keys are create, list, revoke, generate/],
  [
    ['keys', 'create', '--scope', 'everything'],
    /^incident-feed: --scope takes read, watch, report, review, admin, operate, not "everything"/,
  ],
  [['keys', 'create', '--colour', 'red'], /^incident-feed: Unknown option '--colour'/],
]

for (const [words, message] of WRONG) {
  test(`"${words.join(' ')}" exits with a sentence that says what would be right`, async () => {
    const { code, output } = await runCommand(words, {
      PORT: '0',
      LOG_LEVEL: 'silent',
      DATABASE_URL: 'sqlite::memory:',
    })
    assert.equal(code, 1)
    assert.match(output, message)
    assert.doesNotMatch(output, /\n {4}at /)
  })
}

test('refuses to start with a file that is not a database, and names it', async () => {
  const file = join(folder, 'garbage.db')
  await writeFile(file, 'this is not a database, though it is long enough to be read as one. '.repeat(100))
  const { ended, output } = startCommand(['--port', '0', '--database-url', `sqlite:${file}`], { LOG_LEVEL: 'silent' })
  assert.equal(await ended, 1)
  assert.match(output(), /^incident-feed: .*garbage\.db/)
})

test('a key created on the command line works, and incidents and usage survive a restart', async () => {
  const environment = { DATABASE_URL: `sqlite:${join(folder, 'kept.db')}` }
  const making = await runCommand(['keys', 'create', '--scope', 'operate', '--name', 'desk'], environment)
  assert.equal(making.code, 0)
  const key = /inf_live_\w{36}/.exec(making.output)![0]
  {
    await using store = await openTestStore(environment.DATABASE_URL)
    await store.incidents.save([{ incident: anIncident(1), event: 'incident.created' }], Date.now())
  }
  for (const round of [1, 2]) {
    const { url, child, ended } = await serve(environment)
    const headers = { authorization: `Bearer ${key}` }
    const { data } = (await (await fetch(`${url}/v1/incidents`, { headers })).json()) as { data: object[] }
    assert.deepEqual(data, [anIncident(1)])
    const me = (await (await fetch(`${url}/v1/me`, { headers })).json()) as {
      scopes: string[]
      usage: { requests: number }
    }
    assert.deepEqual([me.scopes, me.usage.requests], [['read', 'watch', 'operate'], round * 2])
    child.kill('SIGTERM')
    assert.equal(await ended, 0)
  }
})

test('on SIGTERM, answers running requests, refuses new connections and exits with 0', async () => {
  const { url, child, ended } = await serve({ DATABASE_URL: `sqlite:${join(folder, 'stop.db')}` })
  const body = JSON.stringify({ email: 'a@example.org' })
  const asking = request(`${url}/v1/keys`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'content-length': body.length },
  })
  asking.write(body.slice(0, 5))
  await until(() => fetch(`${url}/healthz`).then((response) => response.ok))
  child.kill('SIGTERM')
  await until(
    () =>
      fetch(`${url}/healthz`).then(
        (response) => !response.ok,
        () => true,
      ),
    'the server to stop listening',
  )
  asking.end(body.slice(5))
  const [response] = await once(asking, 'response')
  assert.equal(response.statusCode, 201)
  response.resume()
  assert.equal(await ended, 0)
})

test('a generated key is well formed', async () => {
  const { ended, output } = startCommand(['keys', 'generate'])
  assert.equal(await ended, 0)
  assert.match(output(), /^inf_live_\w{36}\n$/)
})

test('the demo prints a curl line that works', async () => {
  const { child, ended, output } = startCommand(['--demo', '--port', '0'])
  await until(() => output().includes('curl'), 'the curl line')
  const [, url, key] = /curl '([^']+)' -H 'Authorization: Bearer ([^']+)'/.exec(output())!
  const response = await fetch(url!, { headers: { authorization: `Bearer ${key}` } })
  assert.equal(response.status, 200)
  const all = (await (
    await fetch(new URL('/v1/incidents', url), { headers: { authorization: `Bearer ${key}` } })
  ).json()) as { data: { summary: string }[] }
  assert.equal(all.data.length, 50)
  assert.ok(all.data.every(({ summary }) => summary.startsWith('[Synthetic] ')))
  child.kill('SIGINT')
  assert.equal(await ended, 0)
})
