import { Client } from 'undici'

export interface PooledConnection {
  readonly origin: string
  readonly client: Client
  connected: boolean
}

/**
 * Keeps connections alive by origin; above `maxIdle`, closes those idle for longest. undici's pool
 * is not used: after an aborted request it reconnects needlessly to an endpoint in trouble.
 */
export class ConnectionPool {
  /** In the order of becoming idle. */
  readonly #idle = new Map<string, PooledConnection[]>()
  readonly #options: Client.Options
  readonly #maxIdle: number
  #idleCount = 0

  constructor(options: Client.Options, maxIdle: number) {
    this.#options = options
    this.#maxIdle = maxIdle
  }

  acquire(origin: string): PooledConnection {
    const idle = this.#idle.get(origin)
    if (!idle) return this.#open(origin)
    if (idle.length === 1) this.#idle.delete(origin)
    this.#idleCount--
    return idle.pop()!
  }

  /** Takes back a connection whose response was read to its end. */
  release(connection: PooledConnection): void {
    const { origin, connected } = connection
    if (!connected) {
      closeNow(connection)
      return
    }
    const idle = this.#idle.get(origin) ?? []
    idle.push(connection)
    // Moves the origin to the end of the map: the most recently used.
    this.#idle.delete(origin)
    this.#idle.set(origin, idle)
    this.#idleCount++
    if (this.#idleCount > this.#maxIdle) this.#closeIdle(this.#idle.values().next().value![0]!)
  }

  closeIdle(): void {
    for (const connection of [...this.#idle.values()].flat()) this.#closeIdle(connection)
  }

  #open(origin: string): PooledConnection {
    const client = new Client(origin, this.#options)
    const connection = { origin, client, connected: false }
    client.on('connect', () => {
      connection.connected = true
    })
    client.on('disconnect', () => {
      connection.connected = false
      if (this.#idle.get(origin)?.includes(connection)) this.#closeIdle(connection)
    })
    return connection
  }

  #closeIdle(connection: PooledConnection): void {
    const idle = this.#idle.get(connection.origin)!
    idle.splice(idle.indexOf(connection), 1)
    if (idle.length === 0) this.#idle.delete(connection.origin)
    this.#idleCount--
    closeNow(connection)
  }
}

/** Closes at once and aborts an open request. */
export function closeNow({ client }: PooledConnection): void {
  // The handler of an open request reports the abort, so the promise is not needed.
  void client.destroy()
}
