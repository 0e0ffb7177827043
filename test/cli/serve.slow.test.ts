import assert from 'node:assert/strict'
import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { writeFile } from 'node:fs/promises'
import { type IncomingMessage, request } from 'node:http'
import { join } from 'node:path'
import { after, describe, test } from 'node:test'
import { firstSteps, showsSteps } from '../../src/cli/serve.ts'
import { generateKey } from '../../src/domain/keys.ts'
import { startTestApp, until } from '../support/app.ts'
import { endCommands, type RunningCommand, runCommand, runProcess, startCommand } from '../support/commands.ts'
import { openTestStore, TEST_SECRETS_KEY } from '../support/databases/stores.ts'
import { temporaryFolder } from '../support/folder.ts'
import { anIncident } from '../support/incident.ts'
import { requireSlowTier } from '../support/tier.ts'

after(endCommands)

const MAIN = join(import.meta.dirname, '../../src/main.ts')
const HAS_TERMINAL = spawnSync('script', ['--version']).status === 0
const WITHOUT = { skip: HAS_TERMINAL ? false : 'script (util-linux) is not installed, and makes the terminal' }

/**
 * Runs the service on a terminal until `shows` matches, and returns what the terminal has shown.
 */
async function runOnTerminal(
  environment: Record<string, string>,
  shows: RegExp,
  look: (screen: string) => Promise<void> = async () => {},
): Promise<string> {
  requireSlowTier('another process')
  const { PATH, NODE_COMPILE_CACHE } = process.env
  const command = `exec '${process.execPath}' '${MAIN}' --port 0`
  const child = spawn('script', ['--quiet', '--return', '--flush', '--command', command, '/dev/null'], {
    env: { PATH, NODE_COMPILE_CACHE, SHELL: '/bin/sh', INCIDENT_FEED_SETTINGS: 'none', ...environment },
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  const ended = once(child, 'close')
  let screen = ''
  child.stdout.on('data', (chunk) => {
    screen += chunk
  })
  try {
    await until(() => shows.test(screen) || child.exitCode !== null, `${shows} in ${screen}`)
    await look(screen)
  } finally {
    // Ctrl-C
    child.stdin.write('\x03')
    await ended
  }
  assert.equal(child.exitCode, 0, screen)
  return screen.replaceAll('\r\n', '\n')
}

test(
  'a first start on a terminal prints lines for people and three steps, and its link signs in once; Ctrl-C ends it',
  WITHOUT,
  async () => {
    await using folder = await temporaryFolder()
    const DATABASE_URL = `sqlite:${join(folder.path, 'feed.db')}`
    const first = await runOnTerminal({ DATABASE_URL }, /synthetic incidents/, async (shown) => {
      const [, url, token] = /(http:\S+)\/sign-in\?token=(\S+)/.exec(shown) ?? []
      assert.ok(url && token, shown)
      const use = () =>
        fetch(`${url}/v1/sessions`, {
          method: 'POST',
          headers: { 'content-type': 'application/json', origin: url },
          body: JSON.stringify({ token }),
        })
      const session = await use()
      assert.equal(session.status, 201, await session.clone().text())
      assert.match(await session.text(), /"role":"admin"/)
      assert.equal((await use()).status, 410)
    })
    assert.match(first, /^\d\d:\d\d:\d\d Server listening at http:/m)
    assert.match(first, /^\d\d:\d\d:\d\d ready \(incidents 0, seq 0\)$/m)
    assert.ok(first.includes(`npx incident-feed import ucdp events.csv --database-url ${DATABASE_URL}`), first)
    assert.match(first, /http:\S+\/console\n/)
    assert.match(first, /\d\d:\d\d:\d\d stopping: SIGINT$/m)
    assert.match(first, /\d\d:\d\d:\d\d stopped\b/m)
    assert.doesNotMatch(first, /"level"|\n {4}at |DOMException/)
    await using store = await openTestStore(DATABASE_URL)
    assert.equal((await store.accounts.list({ role: 'admin' }, 10, null)).length, 1)
  },
)

for (const [what, size, isTTY, LOG_FORMAT, shows] of [
  ['on a terminal', 0, true, 'auto', true],
  ['on a terminal with LOG_FORMAT=text', 0, true, 'text', true],
  ['on a terminal with LOG_FORMAT=json', 0, true, 'json', false],
  ['with an incident', 1, true, 'auto', false],
  ['with an incident and LOG_FORMAT=text', 1, true, 'text', false],
  ['in a pipe', 0, false, 'auto', false],
  ['in a pipe with LOG_FORMAT=text', 0, false, 'text', false],
] as const) {
  test(`a start ${what} prints ${shows ? 'the' : 'no'} steps`, () => {
    assert.equal(showsSteps({ size }, { isTTY }, { LOG_FORMAT }), shows)
  })
}

test('a second start opens no second admin, and names the way in of an admin that a person has opened', async () => {
  await using folder = await temporaryFolder()
  const DATABASE_URL = `sqlite:${join(folder.path, 'feed.db')}`
  await using store = await openTestStore(DATABASE_URL)
  const steps = () => firstSteps(store, 'http://localhost:8080', DATABASE_URL, Date.now())
  for (const round of [1, 2]) assert.match(await steps(), /sign-in\?token=/, `start ${round}`)
  assert.equal((await store.accounts.list({ role: 'admin' }, 10, null)).length, 1)
  const words = ['--email', 'a@example.org', '--name', 'Ada', '--role', 'admin']
  const creating = await runCommand(['accounts', 'create', ...words], { DATABASE_URL })
  assert.equal(creating.code, 0, creating.output)
  const third = await steps()
  assert.doesNotMatch(third, /token=/)
  assert.match(third, /npx incident-feed accounts sign-in-link acc_\w+/)
  assert.equal((await store.accounts.list({ role: 'admin' }, 10, null)).length, 2)
})

/** Starts the service in a pipe, and waits until it has printed `started`. */
async function serve(environment: Record<string, string>, started = /"msg":"ready"/) {
  const running = startCommand(['--port', '0'], environment)
  await until(() => started.test(running.output()) || running.child.exitCode !== null, 'the start')
  assert.match(running.output(), started)
  const url = /Server listening at (http:[^\s"]+)/.exec(running.output())?.[1] ?? 'nowhere'
  return { ...running, url }
}

/** Ends the service with Ctrl-C, which leaves no stack trace. */
async function interrupt({ child, ended, output }: RunningCommand): Promise<void> {
  child.kill('SIGINT')
  assert.equal(await ended, 0, output())
  const stoppingLines = output().slice(output().indexOf('stopping'))
  assert.doesNotMatch(stoppingLines, /\n {4}at |"level":[56]0|DOMException/)
  assert.match(output(), /"msg":"stopped"/)
}

for (const [what, settings, started] of [
  [
    'before the database is there',
    { DATABASE_URL: 'postgres://127.0.0.1:1/none' },
    /the database cannot be used: writes are refused/,
  ],
  ['while a demo starts', { DEMO: 'true', LOG_LEVEL: 'debug' }, /Server listening/],
] as const) {
  test(`Ctrl-C ${what} ends the process without a stack trace`, async () => {
    await interrupt(await serve({ ...settings, SECRETS_KEY: TEST_SECRETS_KEY }, started))
  })
}

test('the first map of a demo has all of its incidents', async () => {
  const { url, child, ended } = await serve({ DEMO: 'true', LOG_LEVEL: 'debug' }, /Server listening/)
  let page = ''
  await until(async () => {
    const response = await fetch(url)
    page = await response.text()
    assert.ok(response.status === 200 || response.headers.has('refresh'), page)
    return response.status === 200
  }, 'the map')
  const newest = /"newest_published_at":"([^"]+)"/.exec(page)?.[1]
  assert.ok(Date.now() - Date.parse(newest ?? '') < 86_400_000, `the newest is of ${newest}`)
  child.kill('SIGINT')
  assert.equal(await ended, 0)
})

test('in a pipe the log is JSON, and never has a link that signs in; an empty OPERATOR_KEY is no key; a second signal ends the process at once', async () => {
  const settings = { DATABASE_URL: 'sqlite::memory:', LOG_REQUESTS: 'all', LOG_FORMAT: '', OPERATOR_KEY: '' }
  const { url, child, ended, output } = await serve(settings)
  await fetch(`${url}/healthz`)
  await until(() => /"route":"\/healthz",.*"msg":"request"/.test(output()), 'the line of the request')
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
  assert.doesNotMatch(output(), /token=/)
  await pending
})

const WRONG: [string[], RegExp, code?: 78][] = [
  [['serv'], /^incident-feed: serv is not a command/],
  [['--port', 'eighty'], /^incident-feed: PORT takes a whole number from 0 to 65535, not "eighty"\n$/, 78],
  [['--signup', 'email'], /^incident-feed: SIGNUP=email requires SMTP_URL/, 78],
  [['--operator-key', 'secret'], /^incident-feed: OPERATOR_KEY is not a well-formed key/, 78],
  [
    ['--database-url', 'mysql://localhost'],
    /^incident-feed: DATABASE_URL takes sqlite:<file>, sqlite::memory: or postgres:\/\/…, not "mysql:\/\/localhost"\n$/,
    78,
  ],
  [['keys', 'make'], /^incident-feed: the actions of keys are create, list, revoke, generate/],
  [
    ['keys', 'create', '--scope', 'everything'],
    /^incident-feed: --scope takes read, watch, report, review, admin, operate, not "everything"/,
  ],
  [['keys', 'create', '--colour', 'red'], /^incident-feed: Unknown option '--colour'/],
]

for (const [words, message, exitCode = 1] of WRONG) {
  test(`"${words.join(' ')}" exits with a sentence that says what would be right`, async () => {
    const { code, output } = await runCommand(words, {
      PORT: '0',
      LOG_LEVEL: 'silent',
      DATABASE_URL: 'sqlite::memory:',
    })
    assert.equal(code, exitCode)
    assert.match(output, message)
    assert.doesNotMatch(output, /\n {4}at /)
  })
}

test('refuses to start with a file that is not a database, and names it', async () => {
  await using folder = await temporaryFolder()
  const file = join(folder.path, 'garbage.db')
  await writeFile(file, 'this is not a database, though it is long enough to be read as one. '.repeat(100))
  const { code, output } = await runProcess(['--port', '0', '--database-url', `sqlite:${file}`], {
    LOG_LEVEL: 'silent',
  })
  assert.equal(code, 78)
  assert.match(output, /^incident-feed: .*garbage\.db/)
})

test('a generated key is well formed', async () => {
  const { code, output } = await runCommand(['keys', 'generate'])
  assert.equal(code, 0)
  assert.match(output, /^inf_live_\w{36}\n$/)
})

test('a key created on the command line works, and incidents and usage survive a restart; on SIGTERM, the service answers running requests, refuses new connections and exits with 0', async () => {
  await using folder = await temporaryFolder()
  const DATABASE_URL = `sqlite:${join(folder.path, 'kept.db')}`
  const making = await runCommand(['keys', 'create', '--create', '--scope', 'operate', '--name', 'desk'], {
    DATABASE_URL,
  })
  assert.equal(making.code, 0)
  const key = /inf_live_\w{36}/.exec(making.output)![0]
  const check = async (url: string, requests: number) => {
    const headers = { authorization: `Bearer ${key}` }
    const { data } = (await (await fetch(`${url}/v1/incidents`, { headers })).json()) as { data: object[] }
    assert.deepEqual(data, [anIncident(1)])
    const me = (await (await fetch(`${url}/v1/me`, { headers })).json()) as {
      scopes: string[]
      usage: { requests: number }
    }
    assert.deepEqual([me.scopes, me.usage.requests], [['read', 'watch', 'operate'], requests])
  }
  {
    await using app = await startTestApp({ DATABASE_URL })
    await app.publish([anIncident(1)])
    await check(app.url, 2)
  }
  const settings = { DATABASE_URL, LOG_REQUESTS: 'all', LOG_FORMAT: 'text' }
  const { url, child, ended, output } = await serve(settings, /^\d\d:\d\d:\d\d ready/m)
  await check(url, 4)
  await fetch(`${url}/healthz`)

  // On SIGTERM, running requests are answered and new connections refused.
  const finish = await startRequest(url)
  child.kill('SIGTERM')
  await until(
    () =>
      fetch(`${url}/healthz`).then(
        (response) => !response.ok,
        () => true,
      ),
    'the server to stop listening',
  )
  assert.equal(await finish(), 201)
  assert.equal(await ended, 0)
  assert.match(output(), /^\d\d:\d\d:\d\d request \(.*route \/healthz, status 200/m)
  assert.doesNotMatch(output(), /token=/)
})

describe('a drain', () => {
  const settings = {
    DATABASE_URL: 'sqlite::memory:',
    OPERATOR_KEY: generateKey('live', randomBytes),
    DRAIN_SECONDS: '60',
  }
  const headers = { authorization: `Bearer ${settings.OPERATOR_KEY}` }

  /** The stream's text, and whether it has ended. */
  async function openStream(url: string) {
    const sent = request(`${url}/v1/stream`, { headers, agent: false }).end()
    const [response] = (await once(sent, 'response')) as [IncomingMessage]
    const stream = { text: '', hasEnded: false }
    response.on('data', (chunk) => {
      stream.text += chunk
    })
    response.on('close', () => {
      stream.hasEnded = true
    })
    return stream
  }

  for (const signal of ['SIGTERM', 'SIGHUP'] as const) {
    test(`begins with ${signal}: /readyz is 503 while everything else is served; a second signal ends it in order`, async () => {
      const { url, child, ended, output } = await serve(settings)
      const stream = await openStream(url)
      assert.equal((await fetch(`${url}/readyz`)).status, 200)
      assert.notEqual((await fetch(`${url}/healthz`)).headers.get('connection'), 'close')
      child.kill(signal)
      await until(async () => (await fetch(`${url}/readyz`)).status === 503, 'the drain')
      const body = (await (await fetch(`${url}/readyz`)).json()) as { status: string }
      assert.equal(body.status, 'stopping')
      for (let round = 0; round < 5; round++) {
        const read = await fetch(`${url}/v1/incidents`, { headers })
        assert.deepEqual([read.status, read.headers.get('connection')], [200, 'close'])
      }
      assert.equal((await fetch(`${url}/healthz`)).status, 200)
      assert.equal(stream.hasEnded, false)
      child.kill('SIGTERM')
      assert.equal(await ended, 0, output())
      assert.ok(stream.hasEnded)
      // The last frame tells when to reconnect.
      assert.match(stream.text, /\nretry: \d+\n\n$/)
      assert.match(output(), new RegExp(`"stopping: ${signal}".*serving for 60 s more.*"msg":"stopped"`, 's'))
    })
  }

  test('ends by itself after DRAIN_SECONDS', async () => {
    const { child, ended, output } = await serve({ ...settings, DRAIN_SECONDS: '1' })
    child.kill('SIGTERM')
    assert.equal(await ended, 0)
    assert.match(output(), /serving for 1 s more/)
  })

  test('is not what Ctrl-C waits for', async () => {
    const { child, ended, output } = await serve(settings)
    child.kill('SIGINT')
    assert.equal(await ended, 0)
    assert.doesNotMatch(output(), /serving for/)
  })

  test('is not what a signal before the service is ready waits for', async () => {
    const unreachable = { ...settings, DATABASE_URL: 'postgres://127.0.0.1:1/none', SECRETS_KEY: TEST_SECRETS_KEY }
    const { child, ended } = await serve(unreachable, /Server listening/)
    child.kill('SIGTERM')
    assert.equal(await ended, 0)
  })
})

test('SIGUSR1 opens no debugger', async () => {
  const { url, child, ended, output } = await serve({ DATABASE_URL: 'sqlite::memory:' })
  child.kill('SIGUSR1')
  for (let round = 0; round < 20; round++) assert.equal((await fetch(`${url}/healthz`)).status, 200)
  child.kill('SIGINT')
  assert.equal(await ended, 0)
  assert.doesNotMatch(output(), /[Dd]ebugger/)
})

/** Sends half of a request; the function returned sends the rest, and returns the status. */
async function startRequest(url: string): Promise<() => Promise<number | undefined>> {
  const body = JSON.stringify({ email: 'a@example.org' })
  const asking = request(`${url}/v1/keys`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'content-length': body.length, expect: '100-continue' },
  })
  asking.flushHeaders()
  // The service has read the headers.
  await once(asking, 'continue')
  asking.write(body.slice(0, 5))
  return async () => {
    asking.end(body.slice(5))
    const [response] = (await once(asking, 'response')) as [IncomingMessage]
    response.resume()
    return response.statusCode
  }
}

describe('stopping npm', () => {
  const ROOT = join(import.meta.dirname, '../..')

  /** Disposing of it ends npm, and with it the service. */
  interface Launched extends AsyncDisposable {
    readonly npm: ChildProcess
    /** The process of the service itself. */
    readonly serviceId: number
    output(): string
  }

  async function launch(command: string, args: readonly string[]): Promise<Launched> {
    requireSlowTier('another process')
    const { PATH, HOME, NODE_COMPILE_CACHE } = process.env
    const env = { PATH, HOME, NODE_COMPILE_CACHE, PORT: '0', DATABASE_URL: 'sqlite::memory:', DRAIN_SECONDS: '0' }
    const npm = spawn(command, args, { cwd: ROOT, env, stdio: ['ignore', 'pipe', 'pipe'] })
    let output = ''
    for (const stream of [npm.stdout, npm.stderr]) {
      stream.on('data', (chunk) => {
        output += chunk
      })
    }
    const ended = once(npm, 'close')
    const serviceId = () => Number(/"pid":(\d+)/.exec(output)?.[1] ?? 0)
    const launched = {
      // Both: if the test fails, the service has outlived npm.
      async [Symbol.asyncDispose]() {
        npm.kill('SIGKILL')
        if (serviceId() > 0 && isRunning(serviceId())) process.kill(serviceId(), 'SIGKILL')
        await ended
      },
    }
    try {
      await until(() => /"msg":"ready"/.test(output) || npm.exitCode !== null, 'the start')
      assert.ok(serviceId() > 0, output)
      return { ...launched, npm, serviceId: serviceId(), output: () => output }
    } catch (error) {
      await launched[Symbol.asyncDispose]()
      throw error
    }
  }

  function isRunning(id: number): boolean {
    try {
      return process.kill(id, 0)
    } catch {
      return false
    }
  }

  const WAYS: readonly [command: string, args: readonly string[]][] = [
    ['npm', ['start']],
    ['npx', ['incident-feed']],
  ]

  for (const [command, args] of WAYS) {
    for (const signal of ['SIGTERM', 'SIGKILL'] as const) {
      test(`${signal} to ${[command, ...args].join(' ')} stops the service, which logs why`, async () => {
        await using launched = await launch(command, args)
        const { npm, serviceId, output } = launched
        const whetherRunsAtItsEnd = once(npm, 'exit').then(() => isRunning(serviceId))
        npm.kill(signal)
        // So that a supervisor, who waits for npm, waits for the service.
        if (command === 'npm' && signal === 'SIGTERM') assert.equal(await whetherRunsAtItsEnd, false)
        await until(() => !isRunning(serviceId), 'the end of the service')
        await until(() => /"msg":"stopped"/.test(output()), 'the last line')
        assert.match(output(), /"msg":"stopping: (SIGTERM|the npm that started it has ended)"/)
      })
    }
  }
})
