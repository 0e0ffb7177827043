import { createServer, type IncomingHttpHeaders, request as sendRequest } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { startTestApp, type TestApp } from '../support/app.ts'
import { temporaryFolder } from '../support/folder.ts'

/** A real service on a database file, behind an address that stays while the service does not. */
export interface RestartableService extends AsyncDisposable {
  readonly url: string
  readonly app: TestApp
  /** Every path that was asked for, in order. */
  readonly asked: string[]
  /** Stops the service; connections to its address are closed without an answer. */
  stop(): Promise<void>
  /** Starts it again on the same database. */
  start(): Promise<void>
  /** Answers requests for the API with this status until it is null again. */
  refuse(answer: { status: number; retryAfterSeconds: number } | null): void
}

export async function startRestartableService(): Promise<RestartableService> {
  const folder = await temporaryFolder()
  const settings = {
    DATABASE_URL: `sqlite:${join(folder.path, 'incidents.db')}`,
    RATE_LIMIT_PUBLISHABLE: '100000',
    STREAMS_PER_ACCOUNT: '100',
  }
  let app: TestApp | null = await startTestApp(settings)
  let refusal: { status: number; retryAfterSeconds: number } | null = null
  const asked: string[] = []
  const server = createServer((request, response) => {
    asked.push(request.url!)
    if (app === null) return response.destroy()
    if (refusal !== null && request.url!.startsWith('/v1/')) {
      response.writeHead(refusal.status, { 'retry-after': String(refusal.retryAfterSeconds) }).end()
      return
    }
    const headers: IncomingHttpHeaders = request.headers
    const forwarded = sendRequest(app.url + request.url, { method: request.method!, headers }, (reply) => {
      response.writeHead(reply.statusCode!, reply.headers)
      reply.pipe(response)
      reply.on('error', () => response.destroy())
    })
    forwarded.on('error', () => response.destroy())
    response.on('close', () => forwarded.destroy())
    request.pipe(forwarded)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    get app() {
      if (app === null) throw new Error('the service is stopped')
      return app
    },
    asked,
    async stop() {
      const stopped = app
      app = null
      server.closeAllConnections()
      await stopped?.[Symbol.asyncDispose]()
    },
    async start() {
      app = await startTestApp(settings)
    },
    refuse(answer) {
      refusal = answer
    },
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
      await app?.[Symbol.asyncDispose]()
      await folder[Symbol.asyncDispose]()
    },
  }
}
