import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'

export interface DemoService extends AsyncDisposable {
  readonly url: string
  /** Returns a key. */
  signUp(): Promise<string>
}

const START_SECONDS = 60

/** Starts the service with its demo incidents on a free port, as a user would. */
export async function startDemo(root: string): Promise<DemoService> {
  const port = await freePort()
  const url = `http://127.0.0.1:${port}`
  const service = spawn(process.execPath, [join(root, 'src/main.ts'), '--demo'], {
    cwd: root,
    env: { ...process.env, PORT: String(port), RATE_LIMIT: '100000', WEBHOOK_ALLOW_PRIVATE: 'true' },
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  const exited = once(service, 'exit')
  const stop = async () => {
    service.kill()
    await exited
  }
  try {
    await untilReady(url, () => service.exitCode === null)
  } catch (error) {
    await stop()
    throw error
  }
  return {
    url,
    signUp: async () => {
      const response = await fetch(`${url}/v1/keys`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ email: 'clients@example.org' }),
      })
      return ((await response.json()) as { key: string }).key
    },
    [Symbol.asyncDispose]: stop,
  }
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as { port: number }
  server.close()
  await once(server, 'close')
  return port
}

async function untilReady(url: string, isRunning: () => boolean): Promise<void> {
  for (let second = 0; second < START_SECONDS && isRunning(); second++) {
    const isReady = await fetch(`${url}/readyz`).then(
      ({ ok }) => ok,
      () => false,
    )
    if (isReady) return
    await wait(1000)
  }
  throw new Error(`The service was not ready after ${START_SECONDS} seconds.`)
}
