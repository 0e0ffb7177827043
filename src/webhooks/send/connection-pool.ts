import { Client } from 'undici'

/** One connection, busy with one exchange or idle. */
export interface PooledConnection {
  readonly origin: string
  readonly client: Client
  connected: boolean
}

/**
 * Connections kept alive, by origin: a bounded number of idle ones, beyond which the longest idle are closed. undici's own pool is
 * not used: after an exchange is broken off it connects once more for nothing, to an endpoint that is in trouble already.
 */
export class ConnectionPool {
  /** In the order in which they became idle. */
  readonly #idle = new Map<string, PooledConnection[]>()
  readonly #options: Client.Options
  readonly #mostIdle: number
  #idleCount = 0

  constructor(options: Client.Options, mostIdle: number) {
    this.#options = options
    this.#mostIdle = mostIdle
  }

  acquire(origin: string): PooledConnection {
    const idle = this.#idle.get(origin)
    if (!idle) return this.#open(origin)
    if (idle.length === 1) this.#idle.delete(origin)
    this.#idleCount--
    return idle.pop()!
  }

  /** After an exchange that came to its end. */
  release(connection: PooledConnection): void {
    const { origin, connected } = connection
    if (!connected) {
      closeNow(connection)
      return
    }
    const idle = this.#idle.get(origin) ?? []
    idle.push(connection)
    // At the end of the map stand the origins used last.
    this.#idle.delete(origin)
    this.#idle.set(origin, idle)
    this.#idleCount++
    if (this.#idleCount > this.#mostIdle) this.#close(this.#idle.values().next().value![0]!)
  }

  closeIdle(): void {
    for (const connection of [...this.#idle.values()].flat()) this.#close(connection)
  }

  #open(origin: string): PooledConnection {
    const client = new Client(origin, this.#options)
    const connection = { origin, client, connected: false }
    client.on('connect', () => {
      connection.connected = true
    })
    client.on('disconnect', () => {
      connection.connected = false
      if (this.#idle.get(origin)?.includes(connection)) this.#close(connection)
    })
    return connection
  }

  #close(connection: PooledConnection): void {
    const idle = this.#idle.get(connection.origin)!
    idle.splice(idle.indexOf(connection), 1)
    if (idle.length === 0) this.#idle.delete(connection.origin)
    this.#idleCount--
    closeNow(connection)
  }
}

/** At once, whatever is under way on it. */
export function closeNow({ client }: PooledConnection): void {
  // What was under way is told by its own handler; the promise has nothing to add.
  void client.destroy()
}
