import assert from 'node:assert/strict'
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { test } from 'node:test'
import { until } from '../support/app.ts'
import { requireSlowTier } from '../support/tier.ts'

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
