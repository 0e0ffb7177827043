import type { Server } from 'node:http'
import type { Socket } from 'node:net'
import { clientNetwork, parseAddress, parseTrustedProxies, type TrustedProxies } from '../../lib/network.ts'
import { ConnectionLimit } from '../../streams/stream-connection.ts'

/**
 * Beyond CONNECTIONS, for the machine itself and trusted proxies: probes must always get through.
 */
const RESERVED = 100
const FREE_IDLE_INTERVAL_MS = 1000
const isLoopback = parseTrustedProxies('loopback')!

export interface ConnectionBoundsOptions {
  readonly all: number
  readonly perAddress: number
  /** Their connections carry many clients, so only `all` bounds them. */
  readonly isTrusted: TrustedProxies
}

/** Closes connections above the bounds as soon as they are accepted. */
export class ConnectionBounds {
  readonly #options: ConnectionBoundsOptions
  readonly #limit: ConnectionLimit
  #freedAt = Number.NEGATIVE_INFINITY
  readonly refused = { address: 0, all: 0 }

  constructor(options: ConnectionBoundsOptions) {
    this.#options = options
    this.#limit = new ConnectionLimit(options.all)
  }

  apply(server: Server): void {
    server.maxConnections = this.#options.all + RESERVED
    server.on('drop', () => this.#refuse('all', server))
    server.on('connection', (socket) => this.#admit(socket, server))
  }

  #admit(socket: Socket, server: Server): void {
    const peer = parseAddress(socket.remoteAddress ?? '')
    if (peer === null) {
      // The client has disconnected already.
      socket.destroy()
      return
    }
    if (this.#options.isTrusted(peer, 0)) return
    const bounds = [{ subject: clientNetwork(peer), max: this.#options.perAddress }]
    const result = this.#limit.acquire(bounds)
    if (result === 'taken') socket.once('close', () => this.#limit.release(bounds))
    else if (result !== 'all full' || !isLoopback(peer, 0)) {
      this.#refuse(result === 'all full' ? 'all' : 'address', server)
      socket.destroy()
    }
  }

  /** Idle connections make room for those who come when there is none. */
  #refuse(reason: 'address' | 'all', server: Server): void {
    this.refused[reason]++
    if (reason === 'address' || performance.now() - this.#freedAt < FREE_IDLE_INTERVAL_MS) return
    this.#freedAt = performance.now()
    server.closeIdleConnections()
  }
}
