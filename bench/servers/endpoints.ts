/**
 * Many endpoints in one process, each on its own port: each responds 204 and records when the first
 * bytes of a message arrive. The first `hanging` of them accept connections and never respond.
 * Arguments: the number of endpoints, and how many of them hang.
 */
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { answerParent } from '../harness/child.ts'

const [count, hanging] = process.argv.slice(2).map(Number) as [number, number]
let received: [incident: string, at: number][] = []
const urls: string[] = []

for (let number = 0; number < count; number++) {
  const server = createServer((request, response) => {
    const at = performance.timeOrigin + performance.now()
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      if (number < hanging) return
      received.push([/"incident":\{"id":"(inc_\w+)"/.exec(Buffer.concat(chunks).toString('latin1'))![1]!, at])
      response.writeHead(204).end()
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  urls.push(`http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`)
}

answerParent(
  { urls },
  {
    received() {
      const answer = received
      received = []
      return answer
    },
    receivedCount: () => received.length,
  },
)
