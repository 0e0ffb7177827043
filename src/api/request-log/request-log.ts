import { randomBytes } from 'node:crypto'
import type { Socket } from 'node:net'
import { hostname } from 'node:os'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Environment } from '../services.ts'
import type { LineDestination } from './descriptor.ts'
import { LineBatches } from './line-batches.ts'
import { LoggedAddresses } from './logged-addresses.ts'
import { droppedLine, requestLine } from './request-line.ts'

/** What is remembered on a connection, whose answers follow one another. */
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

export interface RequestLog {
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
