import { createServer, type RequestListener, type Server } from 'node:http'
import type { Socket } from 'node:net'
import { CountedResponse } from '../responses/counted-response.ts'
import type { ConnectionBounds } from './connection-bounds.ts'
import type { ConnectionTimeouts } from './connection-timeouts.ts'
import { SlowReaders } from './slow-readers.ts'

export interface HttpServersOptions {
  readonly timeouts: ConnectionTimeouts
  readonly bounds: ConnectionBounds
  readonly onMalformed: (error: Error & { code?: string }, socket: Socket) => void
}

/** Creates servers that are bounded alike: Fastify needs two if a host name has two addresses. */
export class HttpServers {
  readonly #options: HttpServersOptions
  readonly #servers: Server[] = []
  readonly #sockets = new Set<Socket>()
  #slowReaders: SlowReaders | null = null
  #openRequests = 0
  #onResponse: (response: CountedResponse) => void = () => {}
  /** One listener for all responses, which are its `this`: a closure for each would cost more. */
  readonly #responseClosed: (this: CountedResponse) => void

  constructor(options: HttpServersOptions) {
    this.#options = options
    const servers = this
    this.#responseClosed = function responseClosed() {
      servers.#openRequests--
      this.body?.release()
      servers.#onResponse(this)
    }
  }

  /** Calls `listener` with every response that has ended, whether or not the client has it all. */
  onResponse(listener: (response: CountedResponse) => void): void {
    this.#onResponse = listener
  }

  get openConnections(): number {
    return this.#sockets.size
  }

  /** Requests whose headers have arrived and whose response has not ended, streams included. */
  get openRequests(): number {
    return this.#openRequests
  }

  create(handler: RequestListener): Server {
    const { timeouts, bounds, onMalformed } = this.#options
    const server = createServer(
      {
        // Node would respond without a body; a hook responds with a problem.
        requireHostHeader: false,
        headersTimeout: timeouts.headersMs,
        requestTimeout: timeouts.requestMs,
        connectionsCheckingInterval: timeouts.checkIntervalMs,
        keepAliveTimeout: timeouts.keepAliveMs,
        ServerResponse: CountedResponse,
      },
      (request, response) => {
        this.#openRequests++
        response.on('close', this.#responseClosed)
        handler(request, response)
      },
    )
    server.setTimeout(timeouts.silenceMs)
    // The size of all headers is bounded. By default Node drops those beyond the 2000th without a
    // word, and with them the address that a proxy appends.
    server.maxHeadersCount = 0
    // Node responds 417 without a body; RFC 9110 lets a server ignore all but `100-continue`.
    server.on('checkExpectation', (request, response) => server.emit('request', request, response))
    server.on('clientError', (error, socket) => onMalformed(error, socket as Socket))
    server.on('connection', (socket) => {
      this.#sockets.add(socket)
      socket.once('close', () => this.#sockets.delete(socket))
    })
    bounds.apply(server)
    this.#slowReaders ??= new SlowReaders(this.#sockets, timeouts.slowReaderMs, timeouts.slowReaderBytes)
    this.#servers.push(server)
    server.on('close', () => this.#slowReaders?.[Symbol.dispose]())
    return server
  }

  /** Ends connections between two requests. */
  closeIdleConnections(): void {
    for (const server of this.#servers) server.closeIdleConnections()
  }

  /** Ends every connection, whatever is under way on it. */
  closeAllConnections(): void {
    for (const socket of this.#sockets) socket.destroy()
  }
}
