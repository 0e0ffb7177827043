import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { test } from 'node:test'
import { startTestApp } from '../../../support/app.ts'
import { anIncident } from '../../../support/incident.ts'

const INCIDENTS = 500
/**
 * A page is larger than what a connection buffers, so that the rest waits in the service for the
 * reader.
 */
const LONG = 'x'.repeat(8000)
const LATER = 'y'.repeat(8000)
const QUESTIONS = 6

interface Page {
  readonly data: { readonly summary: string }[]
}

test('answers that wait for a slow reader are not overwritten by later ones', async () => {
  await using app = await startTestApp()
  await app.publish(Array.from({ length: INCIDENTS }, (_, index) => anIncident(index + 1, { summary: LONG })))
  const { text: key } = await app.issue()
  /** Each has the same incidents, and none the same canonical query as another. */
  const path = (number: number) => `/v1/incidents?limit=${INCIDENTS}&min_confidence=0.0${number + 100}`

  const { hostname, port } = new URL(app.url)
  await using reader = slowReader(connect(Number(port), hostname))
  reader.ask(
    Array.from({ length: QUESTIONS }, (_, number) => path(number)),
    key,
  )
  await reader.hasAnswer()

  // An event empties the cache; the answers after it go to the memory of those before.
  await app.publish(
    Array.from({ length: INCIDENTS }, (_, index) => anIncident(INCIDENTS + index + 1, { summary: LATER })),
  )
  for (let number = 0; number < 2 * QUESTIONS; number++) {
    const text = await (await app.get(path(QUESTIONS + number), key)).text()
    assert(text.includes(LATER) && !text.includes(LONG))
  }

  for (const { data } of await reader.readAll(QUESTIONS)) {
    assert.equal(data.length, INCIDENTS)
    assert(data.every(({ summary }) => summary === LONG))
  }
})

/**
 * Sends requests one after the other on one connection (pipelining) and reads nothing before it is
 * told to.
 */
function slowReader(socket: Socket) {
  socket.pause()
  return {
    ask(paths: readonly string[], key: string): void {
      const head = (path: string) => `GET ${path} HTTP/1.1\r\nHost: service\r\nAuthorization: Bearer ${key}\r\n\r\n`
      socket.write(paths.map(head).join(''))
    },
    async hasAnswer(): Promise<void> {
      await once(socket, 'readable')
    },
    async readAll(count: number): Promise<Page[]> {
      let text = ''
      const pages: Page[] = []
      for await (const chunk of socket) {
        text += (chunk as Buffer).toString('latin1')
        for (;;) {
          const head = /^HTTP\/1\.1 (\d+)[\s\S]*?content-length: (\d+)[\s\S]*?\r\n\r\n/i.exec(text)
          if (head === null || text.length < head[0].length + Number(head[2])) break
          assert.equal(head[1], '200')
          pages.push(JSON.parse(text.slice(head[0].length, head[0].length + Number(head[2]))) as Page)
          text = text.slice(head[0].length + Number(head[2]))
        }
        if (pages.length === count) break
      }
      return pages
    },
    async [Symbol.asyncDispose]() {
      socket.destroy()
    },
  }
}
