import assert from 'node:assert/strict'
import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { until } from '../support/app.ts'
import { runCommand, startCommand } from '../support/commands.ts'
import { openTestStore } from '../support/databases/stores.ts'
import { temporaryFolder } from '../support/folder.ts'
import { anIncident } from '../support/incident.ts'
import { requireSlowTier } from '../support/tier.ts'

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
    env: { PATH, NODE_COMPILE_CACHE, SHELL: '/bin/sh', ...environment },
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
  return screen.replaceAll('\r\n', '\n')
}

test(
  'a first start on a terminal prints lines for people and three steps, and its link signs in once',
  WITHOUT,
  async () => {
    await using folder = await temporaryFolder()
    const databaseUrl = `sqlite:${join(folder.path, 'feed.db')}`
    const screen = await runOnTerminal({ DATABASE_URL: databaseUrl }, /synthetic incidents/, async (shown) => {
      const [, url, token] = /(http:\S+)\/sign-in\?token=(\S+)/.exec(shown) ?? []
      assert.ok(url && token, shown)
      const use = () =>
        fetch(`${url}/v1/sessions`, {
          method: 'POST',
          headers: { 'content-type': 'application/json', origin: url },
          body: JSON.stringify({ token }),
        })
      const first = await use()
      assert.equal(first.status, 201, await first.clone().text())
      assert.match(await first.text(), /"role":"admin"/)
      assert.equal((await use()).status, 410)
    })
    assert.match(screen, /^\d\d:\d\d:\d\d Server listening at http:/m)
    assert.match(screen, /^\d\d:\d\d:\d\d ready \(incidents 0, seq 0\)$/m)
    assert.ok(screen.includes(`npx incident-feed import ucdp events.csv --database-url ${databaseUrl}`), screen)
    assert.match(screen, /http:\S+\/console\n/)
    assert.match(screen, /\d\d:\d\d:\d\d stopping: SIGINT$/m)
    assert.doesNotMatch(screen, /"level"/)
    await using store = await openTestStore(databaseUrl)
    assert.equal((await store.accounts.list({ role: 'admin' }, 10, null)).length, 1)
  },
)

test(
  'a second start opens no second admin, and names the way in of an admin that a person has opened',
  WITHOUT,
  async () => {
    await using folder = await temporaryFolder()
    const environment = { DATABASE_URL: `sqlite:${join(folder.path, 'feed.db')}` }
    for (const round of [1, 2]) {
      const screen = await runOnTerminal(environment, /synthetic incidents/)
      assert.match(screen, /sign-in\?token=/, `start ${round}`)
    }
    const words = ['--email', 'a@example.org', '--name', 'Ada', '--role', 'admin']
    const creating = await runCommand(['accounts', 'create', ...words], environment)
    assert.equal(creating.code, 0, creating.output)
    const screen = await runOnTerminal(environment, /synthetic incidents/)
    assert.doesNotMatch(screen, /token=/)
    assert.match(screen, /npx incident-feed accounts sign-in-link acc_\w+/)
    await using store = await openTestStore(environment.DATABASE_URL)
    assert.equal((await store.accounts.list({ role: 'admin' }, 10, null)).length, 2)
  },
)

test('with an incident there are no steps, and LOG_FORMAT=json is obeyed on a terminal', WITHOUT, async () => {
  await using folder = await temporaryFolder()
  const DATABASE_URL = `sqlite:${join(folder.path, 'feed.db')}`
  assert.doesNotMatch(await runOnTerminal({ DATABASE_URL, LOG_FORMAT: 'json' }, /"msg":"ready"/), /next three steps/)
  {
    await using store = await openTestStore(DATABASE_URL)
    await store.incidents.save([{ incident: anIncident(1), event: 'incident.created' }], Date.now())
  }
  assert.doesNotMatch(await runOnTerminal({ DATABASE_URL }, /ready \(incidents 1/), /next three steps/)
})

test('in a pipe the log is JSON, or lines with LOG_FORMAT=text, and never has a link that signs in', async () => {
  for (const [LOG_FORMAT, ready, request] of [
    ['', /"msg":"ready"/, /"route":"\/healthz",.*"msg":"request"/],
    ['text', /^\d\d:\d\d:\d\d ready/m, /^\d\d:\d\d:\d\d request \(.*route \/healthz, status 200/m],
  ] as const) {
    const environment = { DATABASE_URL: 'sqlite::memory:', LOG_REQUESTS: 'all', LOG_FORMAT }
    const { child, ended, output } = startCommand(['--port', '0'], environment)
    await until(() => ready.test(output()), 'the start')
    await fetch(`${/http:\/\/[\d.:]+/.exec(output())![0]}/healthz`)
    child.kill('SIGTERM')
    assert.equal(await ended, 0)
    assert.match(output(), request)
    assert.doesNotMatch(output(), /token=/)
  }
})

test('an empty OPERATOR_KEY is no key', async () => {
  const { child, ended, output } = startCommand(['--port', '0'], { DATABASE_URL: 'sqlite::memory:', OPERATOR_KEY: '' })
  await until(() => /"msg":"ready"/.test(output()) || child.exitCode !== null, 'the start')
  child.kill('SIGTERM')
  assert.equal(await ended, 0, output())
})

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
    const env = { PATH, HOME, NODE_COMPILE_CACHE, PORT: '0', DATABASE_URL: 'sqlite::memory:' }
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
        npm.kill(signal)
        await until(() => !isRunning(serviceId), 'the end of the service')
        await until(() => /"msg":"stopped"/.test(output()), 'the last line')
        assert.match(output(), /"msg":"stopping: (SIGTERM|the npm that started it has ended)"/)
      })
    }
  }

  test('npm start ends after the service, so that a supervisor waits for it', async () => {
    await using launched = await launch('npm', ['start'])
    const { npm, serviceId } = launched
    const ended = once(npm, 'exit').then(() => isRunning(serviceId))
    npm.kill('SIGTERM')
    assert.equal(await ended, false)
  })
})
