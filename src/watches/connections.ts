import { Client } from 'undici'

/** One connection, busy with one exchange or idle. */
export interface Connection {
  readonly origin: string
  readonly client: Client
  connected: boolean
}

/**
 * Connections kept alive, by origin: a bounded number of idle ones, beyond which the longest idle are closed. undici's own pool is
 * not used: after an exchange is broken off it connects once more for nothing, to an endpoint that is in trouble already.
 */
export class Connections {
  /** In the order in which they became idle. */
  readonly #idle = new Map<string, Connection[]>()
  readonly #options: Client.Options
  readonly #mostIdle: number
  #idleCount = 0

  constructor(options: Client.Options, mostIdle: number) {
    this.#options = options
    this.#mostIdle = mostIdle
  }

  take(origin: string): Connection {
    const idle = this.#idle.get(origin)?.at(-1)
    if (!idle) return this.#open(origin)
    this.#forget(idle)
    return idle
  }

  /** After an exchange that came to its end. */
  giveBack(connection: Connection): void {
    const { origin, connected } = connection
    if (!connected) {
      close(connection)
      return
    }
    const others = this.#idle.get(origin) ?? []
    // At the end of the map stand the origins used last.
    this.#idle.delete(origin)
    this.#idle.set(origin, [...others, connection])
    this.#idleCount++
    if (this.#idleCount > this.#mostIdle) this.#close(this.#idle.values().next().value![0]!)
  }

  closeIdle(): void {
    for (const connections of this.#idle.values()) for (const connection of connections) this.#close(connection)
  }

  #open(origin: string): Connection {
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

  #close(connection: Connection): void {
    this.#forget(connection)
    close(connection)
  }

  #forget(connection: Connection): void {
    const left = this.#idle.get(connection.origin)!.filter((other) => other !== connection)
    if (left.length > 0) this.#idle.set(connection.origin, left)
    else this.#idle.delete(connection.origin)
    this.#idleCount--
  }
}

/** At once, whatever is under way on it. */
export function close({ client }: Connection): void {
  // What was under way is told by its own handler; the promise has nothing to add.
  void client.destroy()
}
