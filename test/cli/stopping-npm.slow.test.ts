import assert from 'node:assert/strict'
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { test } from 'node:test'
import { until } from '../support/app.ts'
import { requireSlowTier } from '../support/tier.ts'

const ROOT = join(import.meta.dirname, '../..')

interface Launched {
  readonly npm: ChildProcess
  /** The process of the service itself. */
  readonly serviceId: number
  output(): string
}

async function launch(command: string, args: readonly string[]): Promise<Launched> {
  requireSlowTier('another process')
  const { PATH, HOME } = process.env
  const env = { PATH, HOME, PORT: '0', DATABASE_URL: 'sqlite::memory:' }
  const npm = spawn(command, args, { cwd: ROOT, env, stdio: ['ignore', 'pipe', 'pipe'] })
  let output = ''
  for (const stream of [npm.stdout, npm.stderr]) {
    stream.on('data', (chunk) => {
      output += chunk
    })
  }
  await until(() => /"msg":"ready"/.test(output) || npm.exitCode !== null, 'the start')
  const serviceId = Number(/"pid":(\d+)/.exec(output)?.[1])
  assert.ok(serviceId > 0, output)
  return { npm, serviceId, output: () => output }
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
      const { npm, serviceId, output } = await launch(command, args)
      npm.kill(signal)
      await until(() => !isRunning(serviceId), 'the end of the service')
      await until(() => /"msg":"stopped"/.test(output()), 'the last line')
      assert.match(output(), /"msg":"stopping: (SIGTERM|the npm that started it has ended)"/)
      if (npm.exitCode === null && npm.signalCode === null) await once(npm, 'exit')
    })
  }
}

test('npm start ends after the service, so that a supervisor waits for it', async () => {
  const { npm, serviceId } = await launch('npm', ['start'])
  const ended = once(npm, 'exit').then(() => isRunning(serviceId))
  npm.kill('SIGTERM')
  assert.equal(await ended, false)
})
