import { connect } from 'node:net'
import fc from 'fast-check'
import { anyText } from './generators/texts.ts'
import { RESPONSE_TIMEOUT_MS } from './sender.ts'

const HEAD = 'GET /v1/taxonomy HTTP/1.1\r\nHost: localhost\r\n'
const POST = 'POST /v1/keys HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n'

/** Messages that no HTTP library would send. */
const MESSAGES: readonly ((odd: string) => string)[] = [
  (text) => `${text}\r\n\r\n`,
  () => 'GET /v1/taxonomy HTTP/1.1\r\nConnection: close\r\n\r\n',
  (text) => `${HEAD}X-Odd: ${text}\r\nConnection: close\r\n\r\n`,
  (text) => `${HEAD}${text}: x\r\nConnection: close\r\n\r\n`,
  (text) => `${HEAD}Authorization: Bearer ${text}\r\nConnection: close\r\n\r\n`,
  (text) => `GET /v1/incidents/${text} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n`,
  (text) => `GET /v1/incidents?${text} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n`,
  (text) => `${text} /v1/taxonomy HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n`,
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
  // Cut off.
  () => `${POST}Content-Length: 100\r\nConnection: close\r\n\r\n{"email":`,
  () => `${HEAD}X-Cut: `,
]

/** Generates a message that is hardly HTTP. */
export const anyRawMessage: fc.Arbitrary<string> = fc
  .tuple(fc.constantFrom(...MESSAGES), anyText)
  .map(([message, text]) => message(text.replaceAll(/[\r\n]/g, '')))

export interface RawResponse {
  /** Null if the service closed the connection without a response. */
  readonly status: number | null
  readonly type: string | null
  readonly body: Buffer
}

/** Writes the message, ends the writing side and reads until the service closes the connection. */
export async function sendRaw(url: string, message: string): Promise<RawResponse> {
  const socket = connect(Number(new URL(url).port), new URL(url).hostname)
  const seconds = RESPONSE_TIMEOUT_MS / 1000
  socket.setTimeout(RESPONSE_TIMEOUT_MS, () => socket.destroy(new Error(`not closed within ${seconds} s`)))
  socket.end(message, 'latin1')
  const chunks: Buffer[] = []
  try {
    for await (const chunk of socket) chunks.push(chunk)
  } catch (error) {
    // The service resets the connection if it stops reading; its response came before.
    if ((error as NodeJS.ErrnoException).code !== 'ECONNRESET' && (error as NodeJS.ErrnoException).code !== 'EPIPE')
      throw error
  }
  return parseResponse(Buffer.concat(chunks))
}

function parseResponse(bytes: Buffer): RawResponse {
  const end = bytes.indexOf('\r\n\r\n')
  const head = bytes.subarray(0, Math.max(0, end)).toString('latin1')
  const status = /^HTTP\/1\.1 (\d{3})/.exec(head)?.[1]
  const type = /^content-type: ([^;\r]+)/im.exec(head)?.[1] ?? null
  return { status: status === undefined ? null : Number(status), type, body: bytes.subarray(end + 4) }
}
