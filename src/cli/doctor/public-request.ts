import { request as requestPlain } from 'node:http'
import { request as requestEncrypted } from 'node:https'
import { TLSSocket } from 'node:tls'

const TIMEOUT_MS = 10_000
const MAX_BYTES = 64 * 1024

/** An answer of the public address. `before` and `after`: this machine's time. */
export interface PublicAnswer {
  readonly status: number
  readonly headers: Readonly<Record<string, string | string[] | undefined>>
  readonly body: string
  /** When the certificate ends; null without TLS. */
  readonly certificateEnds: number | null
  readonly before: number
  readonly after: number
}

/** Not `fetch`: it neither shows the certificate nor sends X-Forwarded-For unchanged everywhere. */
export function requestPublic(url: string, headers: Readonly<Record<string, string>> = {}): Promise<PublicAnswer> {
  const request = url.startsWith('https:') ? requestEncrypted : requestPlain
  const before = Date.now()
  return new Promise((resolve, reject) => {
    const sent = request(url, { headers, agent: false, signal: AbortSignal.timeout(TIMEOUT_MS) }, (answer) => {
      const chunks: Buffer[] = []
      let bytes = 0
      const { socket } = answer
      const certificateEnds =
        socket instanceof TLSSocket ? new Date(socket.getPeerCertificate().valid_to).getTime() : null
      answer.on('data', (chunk: Buffer) => {
        bytes += chunk.length
        if (bytes <= MAX_BYTES) chunks.push(chunk)
        else answer.destroy(new Error(`the answer is larger than ${MAX_BYTES} bytes`))
      })
      answer.on('error', reject)
      answer.on('end', () => {
        const body = Buffer.concat(chunks).toString()
        resolve({
          status: answer.statusCode!,
          headers: answer.headers,
          body,
          certificateEnds,
          before,
          after: Date.now(),
        })
      })
    })
    sent.on('error', reject)
    sent.end()
  })
}
