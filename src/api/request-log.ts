import { createHmac } from 'node:crypto'
import { write } from 'node:fs'
import type { Socket } from 'node:net'
import { hostname } from 'node:os'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { BoundedCache } from '../lib/bounded-cache.ts'
import { clientNetwork } from '../lib/network.ts'
import { machine, randomBytes, type Timer } from '../lib/runtime.ts'
import type { Environment } from './services.ts'

/** The state of a connection, whose answers follow one another. */
interface Connection {
  /** The bytes that it had sent after the last logged answer. */
  sentBefore: number
  /** The request that is not answered yet. */
  pending: { readonly request: FastifyRequest; readonly reply: FastifyReply } | null
}
const CONNECTION = Symbol('what the request log remembers')
type LoggedSocket = Socket & { [CONNECTION]?: Connection }

const FIRST_ERROR_STATUS = 400
/** As nginx logs a client that left before it had an answer. */
const LEFT_STATUS = 499

interface RequestLog {
  /** Resolves once every line is written. */
  flush(): Promise<void>
}

/** Logs answers as LOG_REQUESTS says; adds no hook if it says none. */
export function logRequests(
  server: FastifyInstance,
  { config, clock }: Pick<Environment, 'config' | 'clock'>,
  destination: () => LineDestination,
): RequestLog {
  const logged = config.LOG_LEVEL === 'debug' ? 'all' : config.LOG_REQUESTS
  if (logged === 'none') return { flush: async () => {} }
  const leastStatus = logged === 'errors' ? FIRST_ERROR_STATUS : 0
  const addresses = new LoggedAddresses(config.LOG_ADDRESSES, randomBytes)
  const origin = `"pid":${process.pid},"hostname":${JSON.stringify(hostname())},`
  const batches = new LineBatches(destination(), (count) => droppedLine(clock(), origin, count))
  server.addHook('onRequest', (request, reply, done) => {
    connectionOf(request.raw.socket).pending = { request, reply }
    done()
  })
  server.addHook('onResponse', (request, reply, done) => {
    log(request, reply, reply.statusCode)
    done()
  })
  return { flush: () => batches.flush() }

  function log(request: FastifyRequest, reply: FastifyReply, status: number): void {
    const { socket } = request.raw
    const connection = connectionOf(socket)
    const bytes = socket.bytesWritten - connection.sentBefore
    connection.sentBefore += bytes
    connection.pending = null
    if (status >= leastStatus) batches.add(lineOf(request, reply, status, bytes))
  }

  /** Fastify runs no `onResponse` if the client leaves first, as most clients of streams do. */
  function connectionOf(socket: LoggedSocket): Connection {
    if (socket[CONNECTION] !== undefined) return socket[CONNECTION]
    const connection: Connection = { sentBefore: 0, pending: null }
    socket[CONNECTION] = connection
    socket.once('close', () => {
      if (connection.pending === null) return
      const { request, reply } = connection.pending
      log(request, reply, reply.raw.headersSent ? reply.statusCode : LEFT_STATUS)
    })
    return connection
  }

  function lineOf(request: FastifyRequest, reply: FastifyReply, status: number, bytes: number): string {
    const { caller } = request
    const time = clock()
    return requestLine(
      {
        time,
        requestId: request.id,
        method: request.method,
        route: request.routeOptions.url ?? null,
        status,
        milliseconds: reply.elapsedTime,
        bytes,
        key: caller === null ? null : caller.session === undefined ? caller.key.id : caller.session.keyId,
        session: caller?.session?.id ?? null,
        address: addresses.textOf(() => request.clientAddress, time),
      },
      origin,
    )
  }
}

/** One answered request. All texts come from this service: none holds what a client wrote. */
interface LoggedRequest {
  readonly time: number
  readonly requestId: string
  readonly method: string
  /** The declared path, such as `/v1/incidents/:id`; null if there is none. */
  readonly route: string | null
  readonly status: number
  readonly milliseconds: number
  /** Sent on the connection, headers included. */
  readonly bytes: number
  readonly key: string | null
  readonly session: string | null
  /** As LOG_ADDRESSES wants it. */
  readonly address: string | null
}

/**
 * Writes the line as the logger would. By hand: `JSON.stringify` of the same object takes three
 * times as long, and no text needs escaping.
 */
function requestLine(request: LoggedRequest, origin: string): string {
  const { route, key, session, address } = request
  return `{"level":30,"time":${request.time},${origin}"request_id":"${request.requestId}","method":"${request.method}","route":${
    route === null ? 'null' : `"${route}"`
  },"status":${request.status},"ms":${Math.round(request.milliseconds * 1000) / 1000},"bytes":${request.bytes}${
    key === null ? '' : `,"key":"${key}"`
  }${session === null ? '' : `,"session":"${session}"`}${
    address === null ? '' : `,"address":"${address}"`
  },"msg":"request"}\n`
}

function droppedLine(time: number, origin: string, count: number): string {
  return `{"level":40,"time":${time},${origin}"dropped":${count},"msg":"requests were not logged: the log is not read fast enough"}\n`
}

const ADDRESS_MODES = ['hashed', 'full', 'none'] as const
type AddressMode = (typeof ADDRESS_MODES)[number]

const DAY_MS = 86_400_000
const HASH_LENGTH = 12
const SALT_BYTES = 32
const MAX_REMEMBERED = 10_000

/**
 * Writes a client's address for the log. A hash tells the requests of one client from those of
 * others for a day. Its salt is never written anywhere: without it, all 2^32 addresses could be
 * tried.
 */
export class LoggedAddresses {
  readonly #mode: AddressMode
  readonly #randomBytes: (count: number) => Uint8Array
  readonly #hashes = new BoundedCache<string, string>(MAX_REMEMBERED)
  #salt: Uint8Array = new Uint8Array()
  #day = Number.NaN

  constructor(mode: AddressMode, randomBytes: (count: number) => Uint8Array) {
    this.#mode = mode
    this.#randomBytes = randomBytes
  }

  /** Null if nothing is logged. `address` is called only if it is needed. */
  textOf(address: () => string, now: number): string | null {
    if (this.#mode === 'none') return null
    return this.#mode === 'full' ? address() : this.#hashOf(address(), now)
  }

  /** Of the network that limits count as one client: the /64 of an IPv6 address. */
  #hashOf(address: string, now: number): string {
    const day = Math.floor(now / DAY_MS)
    if (day !== this.#day) {
      this.#day = day
      this.#salt = this.#randomBytes(SALT_BYTES)
      this.#hashes.clear()
    }
    let hashed = this.#hashes.get(address)
    if (hashed === undefined) {
      hashed = createHmac('sha256', this.#salt).update(clientNetwork(address)).digest('hex').slice(0, HASH_LENGTH)
      this.#hashes.set(address, hashed)
    }
    return hashed
  }
}

/** A pipe takes up to 4,096 bytes in one piece: lines of other writers cannot fall in between. */
const MAX_BATCH_LENGTH = 4096
const FLUSH_INTERVAL_MS = 500

/** Collects lines, so that many share one write. */
export class LineBatches {
  readonly #destination: LineDestination
  readonly #onDropped: (count: number) => string
  #waiting = ''
  #lines = 0
  #dropped = 0
  #timer: Timer | null = null

  /** `onDropped` writes the line that tells how many were dropped. */
  constructor(destination: LineDestination, onDropped: (count: number) => string) {
    this.#destination = destination
    this.#onDropped = onDropped
  }

  /** `line` holds ASCII only, so that its length is its bytes. */
  add(line: string): void {
    if (this.#waiting.length + line.length > MAX_BATCH_LENGTH) this.#write()
    this.#waiting += line
    this.#lines++
    this.#timer ??= machine.setTimeout(() => this.#write(), FLUSH_INTERVAL_MS)
  }

  async flush(): Promise<void> {
    this.#write()
    await this.#destination.flush()
  }

  #write(): void {
    if (this.#timer !== null) machine.clear(this.#timer)
    this.#timer = null
    if (this.#dropped > 0 && this.#destination.write(this.#onDropped(this.#dropped))) this.#dropped = 0
    if (this.#waiting !== '' && !this.#destination.write(this.#waiting)) this.#dropped += this.#lines
    this.#waiting = ''
    this.#lines = 0
  }
}

/** The most that waits for a reader that hangs; further texts are dropped. */
const MAX_WAITING_BYTES = 4 * 1024 * 1024
const RETRY_INTERVAL_MS = 100
const FULL_CODES: readonly unknown[] = ['EAGAIN', 'EBUSY']

export interface LineDestination {
  /** False if the text was dropped. */
  write(text: string): boolean
  /** Resolves once everything is written, or nobody reads any more. */
  flush(): Promise<void>
}

/**
 * Writes to a file descriptor from another thread: a reader that hangs delays no request. Not the
 * logger's own stream, which blocks, so that its last line before a crash is never lost.
 */
export class DescriptorDestination implements LineDestination {
  readonly #descriptor: number
  #waiting: Buffer[] = []
  #waitingBytes = 0
  #isWriting = false
  #isClosed = false
  #onIdle: (() => void)[] = []

  constructor(descriptor: number) {
    this.#descriptor = descriptor
  }

  write(text: string): boolean {
    if (this.#isClosed || this.#waitingBytes + text.length > MAX_WAITING_BYTES) return false
    const bytes = Buffer.from(text)
    this.#waiting.push(bytes)
    this.#waitingBytes += bytes.length
    if (!this.#isWriting) this.#writeNext()
    return true
  }

  flush(): Promise<void> {
    return this.#isWriting ? new Promise((resolve) => this.#onIdle.push(resolve)) : Promise.resolve()
  }

  #writeNext(): void {
    const next = this.#waiting.shift()
    this.#isWriting = next !== undefined
    if (next !== undefined) this.#writeBytes(next)
    else for (const resolve of this.#onIdle.splice(0)) resolve()
  }

  #writeBytes(bytes: Buffer): void {
    write(this.#descriptor, bytes, (error, written) => {
      if (error !== null && FULL_CODES.includes(error.code))
        machine.setTimeout(() => this.#writeBytes(bytes), RETRY_INTERVAL_MS)
      else if (error !== null) this.#close()
      else if (written < bytes.length) this.#writeRest(bytes, written)
      else {
        this.#waitingBytes -= bytes.length
        this.#writeNext()
      }
    })
  }

  #writeRest(bytes: Buffer, written: number): void {
    this.#waitingBytes -= written
    this.#writeBytes(bytes.subarray(written))
  }

  /** Nobody reads the log any more, or the disk is full: the service goes on without it. */
  #close(): void {
    this.#isClosed = true
    this.#waiting = []
    this.#writeNext()
  }
}
