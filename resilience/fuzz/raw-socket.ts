import { connect } from 'node:net'
import { pick, type Random, seededRandom } from '../../src/lib/random.ts'
import { anyText } from './generators/texts.ts'
import { PATIENCE } from './sender.ts'

const HEAD = 'GET /v1/taxonomy HTTP/1.1\r\nHost: localhost\r\n'
const POST = 'POST /v1/keys HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n'

/** What no HTTP library would send. */
const MESSAGES: readonly ((odd: string) => string)[] = [
  (odd) => `${odd}\r\n\r\n`,
  () => 'GET /v1/taxonomy HTTP/1.1\r\nConnection: close\r\n\r\n',
  (odd) => `${HEAD}X-Odd: ${odd}\r\nConnection: close\r\n\r\n`,
  (odd) => `${HEAD}${odd}: x\r\nConnection: close\r\n\r\n`,
  (odd) => `${HEAD}Authorization: Bearer ${odd}\r\nConnection: close\r\n\r\n`,
  (odd) => `GET /v1/incidents/${odd} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n`,
  (odd) => `GET /v1/incidents?${odd} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n`,
  (odd) => `${odd} /v1/taxonomy HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n`,
  () => 'GET /v1/taxonomy HTTP/9.9\r\nHost: localhost\r\n\r\n',
  () => 'GET /v1/taxonomy HTTP/1.0\r\n\r\n',
  () => 'GET http://localhost/v1/taxonomy HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n',
  () => 'OPTIONS * HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n',
  () => `${HEAD}${'X-Many: x\r\n'.repeat(3000)}Connection: close\r\n\r\n`,
  () => `${HEAD}X-Long: ${'x'.repeat(20_000)}\r\nConnection: close\r\n\r\n`,
  () => `${HEAD}Host: another\r\nConnection: close\r\n\r\n`,
  () => `${POST}Content-Length: 5\r\nContent-Length: 6\r\n\r\n{"a":1}`,
  () => `${POST}Content-Length: -1\r\n\r\n`,
  () => `${POST}Content-Length: 10\r\nTransfer-Encoding: chunked\r\nConnection: close\r\n\r\n2\r\n{}\r\n0\r\n\r\n`,
  () => `${POST}Transfer-Encoding: chunked\r\nConnection: close\r\n\r\nzz\r\n{}\r\n0\r\n\r\n`,
  () => `${POST}Transfer-Encoding: nonsense\r\nConnection: close\r\n\r\n{}`,
  // Broken off midway.
  () => `${POST}Content-Length: 100\r\nConnection: close\r\n\r\n{"email":`,
  () => `${HEAD}X-Cut: `,
]

export interface RawAnswer {
  readonly sent: string
  /** Null where the service closed the connection without a word. */
  readonly status: number | null
  readonly type: string | null
  readonly body: Buffer
}

/** Writes what is hardly HTTP, ends its side, and reads until the service has ended its own. */
export async function sendRaw(url: string, seed: number, number: number): Promise<RawAnswer> {
  const random = seededRandom(seed * 2 ** 20 + number)
  const sent = pick(random, MESSAGES)(oddLine(random))
  const socket = connect(Number(new URL(url).port), new URL(url).hostname)
  socket.setTimeout(PATIENCE, () => socket.destroy(new Error(`not closed within ${PATIENCE / 1000} s`)))
  socket.end(sent, 'latin1')
  const chunks: Buffer[] = []
  try {
    for await (const chunk of socket) chunks.push(chunk)
  } catch (error) {
    // Where it stops reading, the rest of what was sent is answered with a reset; what it said came before.
    if ((error as NodeJS.ErrnoException).code !== 'ECONNRESET' && (error as NodeJS.ErrnoException).code !== 'EPIPE')
      throw error
  }
  return { sent, ...answerIn(Buffer.concat(chunks)) }
}

function oddLine(random: Random): string {
  return anyText(random).replaceAll(/[\r\n]/g, '')
}

function answerIn(bytes: Buffer): Omit<RawAnswer, 'sent'> {
  const end = bytes.indexOf('\r\n\r\n')
  const head = bytes.subarray(0, Math.max(0, end)).toString('latin1')
  const status = /^HTTP\/1\.1 (\d{3})/.exec(head)?.[1]
  const type = /^content-type: ([^;\r]+)/im.exec(head)?.[1] ?? null
  return { status: status === undefined ? null : Number(status), type, body: bytes.subarray(end + 4) }
}
