import assert from 'node:assert/strict'
import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { test } from 'node:test'
import { EventSource } from 'eventsource'
import { startTestApp, until } from '../../../support/app.ts'
import { anIncident } from '../../../support/incident.ts'
import type { StreamedChange } from '../../../support/readers.ts'

const CUTS = 100

/**
 * A proxy that cuts each connection after a random number of bytes, until it has cut often enough.
 */
async function cuttingProxy(target: URL): Promise<{ port: number; cuts: () => number } & AsyncDisposable> {
  let cuts = 0
  const sockets = new Set<Socket>()
  const listener = createServer((client) => {
    const server = connect(Number(target.port), target.hostname)
    let left = cuts < CUTS ? Math.floor(Math.random() * 12_000) : Number.POSITIVE_INFINITY
    for (const socket of [client, server]) {
      sockets.add(socket)
      socket.on('error', () => {})
      socket.on('close', () => {
        sockets.delete(socket)
        client.destroy()
        server.destroy()
      })
    }
    client.on('data', (bytes) => server.write(bytes))
    server.on('data', (bytes: Buffer) => {
      const passed = bytes.subarray(0, Math.min(bytes.length, left))
      left -= bytes.length
      client.write(passed)
      if (left >= 0 || client.destroyed) return
      cuts++
      client.resetAndDestroy()
    })
  })
  listener.listen(0, '127.0.0.1')
  await once(listener, 'listening')
  return {
    port: (listener.address() as AddressInfo).port,
    cuts: () => cuts,
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy()
      listener.close()
      await once(listener, 'close')
    },
  }
}

test(`a client that is cut off ${CUTS} times ends with exactly the changes that /v1/changes lists`, async () => {
  await using app = await startTestApp({ STREAMS_PER_ACCOUNT: '1000' })
  await using line = await cuttingProxy(new URL(app.url))
  const { text: key } = await app.issue()
  /** The events of each connection. */
  const connections: StreamedChange[][] = []
  const source = new EventSource(`http://127.0.0.1:${line.port}/v1/stream?last_event_id=0`, {
    fetch: async (url, init) => {
      const response = await fetch(url, { ...init, headers: { ...init.headers, authorization: `Bearer ${key}` } })
      connections.push([])
      // Shortens the retry time that the service requests; a hundred waits would make the test
      // slow.
      const shortRetries = new TransformStream<string, string>({
        transform: (chunk, controller) => controller.enqueue(chunk.replaceAll(/retry: \d+/g, 'retry: 1')),
      })
      const body = response.body!.pipeThrough(new TextDecoderStream()).pipeThrough(shortRetries)
      return {
        body: body.pipeThrough(new TextEncoderStream()),
        url: response.url,
        status: response.status,
        redirected: response.redirected,
        headers: response.headers,
      }
    },
  })
  const addChange = ({ data }: { data: string }) => connections.at(-1)!.push(JSON.parse(data) as StreamedChange)
  for (const event of ['created', 'updated', 'retracted'] as const)
    source.addEventListener(`incident.${event}`, addChange)
  try {
    let number = 0
    while (line.cuts() < CUTS) {
      await app.publish([anIncident(++number), anIncident(++number)])
      await app.publish([anIncident(number, { version: 2, summary: 'Corrected.' })], 'incident.updated')
    }
    await app.publish([anIncident(1, { version: 2, status: 'retracted' })], 'incident.retracted')
    await until(() => connections.at(-1)?.at(-1)?.seq === app.archive.head.seq, 'the last event')
  } finally {
    source.close()
  }
  for (const received of connections)
    for (const [index, { seq }] of received.entries()) if (index > 0) assert.equal(seq, received[index - 1]!.seq + 1)
  const expected: number[] = []
  for (let after = 0, more = true; more; ) {
    const answer = await app.get(`/v1/changes?after=${after}&limit=1000`)
    const page = (await answer.json()) as { data: StreamedChange[]; next_after: number; has_more: boolean }
    expected.push(...page.data.map(({ seq }) => seq))
    after = page.next_after
    more = page.has_more
  }
  assert.deepEqual(
    connections.flat().map(({ seq }) => seq),
    expected,
  )
  assert.ok(
    connections.filter((received) => received.length > 0).length > CUTS / 4,
    'hardly any connection received events',
  )
})
