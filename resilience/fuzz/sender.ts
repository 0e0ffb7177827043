import { Agent, type IncomingMessage, request as open } from 'node:http'
import { setTimeout as wait } from 'node:timers/promises'
import { brotliDecompressSync, gunzipSync, inflateSync, zstdDecompressSync } from 'node:zlib'
import type { FuzzRequest } from './generators/requests.ts'

export interface FuzzAnswer {
  readonly status: number
  readonly headers: IncomingMessage['headers']
  /** Without compression; what had come, where the reader left. */
  readonly body: Buffer
  readonly whole: boolean
}

/** No answer within this is a fault; a message sent as a test may take an endpoint's 15 s. */
export const PATIENCE = 20_000
const LONGEST_IN_STREAM = 150
const DECODERS: Readonly<Record<string, (bytes: Buffer) => Buffer>> = {
  gzip: gunzipSync,
  br: brotliDecompressSync,
  deflate: inflateSync,
  zstd: zstdDecompressSync,
}

/** Sends requests over connections that are kept, and reads the answers to their end. */
export class Sender implements Disposable {
  readonly #url: URL
  readonly #agent: Agent

  constructor(url: string, connections: number) {
    this.#url = new URL(url)
    this.#agent = new Agent({ keepAlive: true, maxSockets: connections })
  }

  async send({ method, target, headers, body, leaves, number }: FuzzRequest): Promise<FuzzAnswer> {
    // As clients do: a request that may have a body says that it has none.
    const length = body?.length ?? (method === 'GET' || method === 'HEAD' ? null : 0)
    const given = [...headers, ...(length === null ? [] : [['content-length', String(length)] as const])]
    const message = await new Promise<IncomingMessage>((resolve, reject) => {
      const { hostname, port } = this.#url
      const hasHost = given.some(([name]) => name === 'host')
      const all = hasHost ? given : [...given, ['host', this.#url.host] as const]
      const asking = open({
        agent: this.#agent,
        hostname,
        port,
        method,
        path: target,
        headers: all.flat(),
        setHost: false,
      })
      asking.setTimeout(PATIENCE, () => asking.destroy(new Error(`nothing came for ${PATIENCE / 1000} s`)))
      asking.on('response', resolve).on('error', reject)
      asking.end(body)
    })
    // The parser calls a header that came twice one thing or the other; either way it is read.
    const { statusCode = 0, headers: answered } = message
    const isStream = answered['content-type']?.startsWith('text/event-stream') ?? false
    if (isStream || leaves) {
      const bytes = await beginning(message, isStream ? number % LONGEST_IN_STREAM : 0)
      return { status: statusCode, headers: answered, body: bytes, whole: false }
    }
    const bytes = Buffer.concat(await message.toArray())
    const decode = DECODERS[answered['content-encoding'] ?? '']
    return {
      status: statusCode,
      headers: answered,
      body: decode && bytes.length > 0 ? decode(bytes) : bytes,
      whole: true,
    }
  }

  [Symbol.dispose](): void {
    this.#agent.destroy()
  }
}

/** What comes first, and what comes within so many milliseconds more; then the reader is gone. */
async function beginning(message: IncomingMessage, more: number): Promise<Buffer> {
  const chunks: Buffer[] = []
  const first = new Promise<void>((resolve) => {
    message.on('data', (chunk: Buffer) => {
      chunks.push(chunk)
      resolve()
    })
    message.on('close', resolve).on('error', () => resolve())
  })
  await first
  if (more > 0) await wait(more)
  message.destroy()
  return Buffer.concat(chunks)
}
