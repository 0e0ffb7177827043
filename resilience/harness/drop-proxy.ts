import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'

interface Pair {
  readonly client: Socket
  readonly server: Socket
}

/** The direction in which nothing passes. */
export type Partition = 'both' | 'from the server' | 'from the client'

/**
 * A network between a node and its database that can fail silently. While it is partitioned it
 * accepts connections and forwards nothing, not even their end; neither side is told. After `heal`
 * the delayed bytes arrive, as after retransmission, or all connections are reset.
 */
export class DropProxy implements AsyncDisposable {
  readonly #listener = createServer({ pauseOnConnect: true }, (client) => this.#accept(client))
  readonly #pairs = new Set<Pair>()
  readonly #target: URL
  #partition: Partition | null = null

  private constructor(target: URL) {
    this.#target = target
  }

  static async open(databaseUrl: string): Promise<DropProxy> {
    const proxy = new DropProxy(new URL(databaseUrl))
    proxy.#listener.listen(0, '127.0.0.1')
    await once(proxy.#listener, 'listening')
    return proxy
  }

  /** The address of the database through this proxy. */
  get url(): string {
    const url = new URL(this.#target)
    url.port = String((this.#listener.address() as AddressInfo).port)
    return url.href
  }

  partition(direction: Partition): void {
    this.#partition = direction
    for (const pair of this.#pairs) this.#apply(pair)
  }

  heal(how: 'delayed bytes arrive' | 'connections are reset'): void {
    this.#partition = null
    for (const pair of this.#pairs) {
      if (how === 'connections are reset') destroyPair(pair)
      else this.#apply(pair)
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const pair of this.#pairs) destroyPair(pair)
    this.#listener.close()
    await once(this.#listener, 'close')
  }

  #accept(client: Socket): void {
    const server = connect(Number(this.#target.port), this.#target.hostname)
    const pair = { client, server }
    this.#pairs.add(pair)
    for (const [from, to] of [
      [client, server],
      [server, client],
    ] as const) {
      from.on('data', (bytes) => to.write(bytes))
      from.on('end', () => to.end())
      from.on('error', () => destroyPair(pair))
      from.on('close', () => {
        // Bytes received before still have to be written; a paused socket closes after `heal`.
        if (to.closed) this.#pairs.delete(pair)
        else to.end()
      })
    }
    this.#apply(pair)
  }

  /** A paused socket reports neither bytes nor the end of its connection. */
  #apply({ client, server }: Pair): void {
    const blocked = (direction: Partition) => this.#partition === 'both' || this.#partition === direction
    if (blocked('from the client')) client.pause()
    else client.resume()
    if (blocked('from the server')) server.pause()
    else server.resume()
  }
}

function destroyPair({ client, server }: Pair): void {
  client.destroy()
  server.destroy()
}
