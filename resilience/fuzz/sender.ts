import { Agent, type IncomingMessage, request } from 'node:http'
import { setTimeout as wait } from 'node:timers/promises'
import { brotliDecompressSync, gunzipSync, inflateSync, zstdDecompressSync } from 'node:zlib'
import type { FuzzRequest } from './generators/requests.ts'

export interface FuzzResponse {
  readonly status: number
  readonly headers: IncomingMessage['headers']
  /** Decompressed; incomplete if the client disconnected early. */
  readonly body: Buffer
  readonly complete: boolean
}

/** A later response is a failure; a test message to a watch may wait 15 s for its endpoint. */
export const RESPONSE_TIMEOUT_MS = 20_000
const DECODERS: Readonly<Record<string, (bytes: Buffer) => Buffer>> = {
  gzip: gunzipSync,
  br: brotliDecompressSync,
  deflate: inflateSync,
  zstd: zstdDecompressSync,
}

/** Sends requests over keep-alive connections and reads the responses. */
export class Sender implements Disposable {
  readonly #url: URL
  readonly #agent: Agent

  constructor(url: string, connections: number) {
    this.#url = new URL(url)
    this.#agent = new Agent({ keepAlive: true, maxSockets: connections })
  }

  async send({ method, target, headers, body, disconnectsEarly, streamMs }: FuzzRequest): Promise<FuzzResponse> {
    // Clients send `content-length: 0` with a method that may have a body.
    const length = body?.length ?? (method === 'GET' || method === 'HEAD' ? null : 0)
    const ownHeaders = [...headers, ...(length === null ? [] : [['content-length', String(length)] as const])]
    const message = await new Promise<IncomingMessage>((resolve, reject) => {
      const { hostname, port } = this.#url
      const hasHost = ownHeaders.some(([name]) => name === 'host')
      const allHeaders = hasHost ? ownHeaders : [...ownHeaders, ['host', this.#url.host] as const]
      const clientRequest = request({
        agent: this.#agent,
        hostname,
        port,
        method,
        path: target,
        headers: allHeaders.flat(),
        setHost: false,
      })
      clientRequest.setTimeout(RESPONSE_TIMEOUT_MS, () =>
        clientRequest.destroy(new Error(`no response within ${RESPONSE_TIMEOUT_MS / 1000} s`)),
      )
      clientRequest.on('response', resolve).on('error', reject)
      clientRequest.end(body)
    })
    const { statusCode = 0, headers: responseHeaders } = message
    const isStream = responseHeaders['content-type']?.startsWith('text/event-stream') ?? false
    if (isStream || disconnectsEarly) {
      const bytes = await readBeginning(message, isStream ? streamMs : 0)
      return { status: statusCode, headers: responseHeaders, body: bytes, complete: false }
    }
    const bytes = Buffer.concat(await message.toArray())
    const decode = DECODERS[responseHeaders['content-encoding'] ?? '']
    return {
      status: statusCode,
      headers: responseHeaders,
      body: decode && bytes.length > 0 ? decode(bytes) : bytes,
      complete: true,
    }
  }

  [Symbol.dispose](): void {
    this.#agent.destroy()
  }
}

/** Reads the first chunk and whatever follows within `moreMs`, then disconnects. */
async function readBeginning(message: IncomingMessage, moreMs: number): Promise<Buffer> {
  const chunks: Buffer[] = []
  const first = new Promise<void>((resolve) => {
    message.on('data', (chunk: Buffer) => {
      chunks.push(chunk)
      resolve()
    })
    message.on('close', resolve).on('error', () => resolve())
  })
  await first
  if (moreMs > 0) await wait(moreMs)
  message.destroy()
  return Buffer.concat(chunks)
}
