import { once } from 'node:events'
import { type AddressInfo, createServer, type Socket } from 'node:net'
import type { Client } from '../clients/client.ts'

const CONCURRENCY = 20
const FILTER = { min_severity: 'high' }

/** Endpoints that accept every connection and never respond; each has its own IP address. */
export class HangingEndpoints implements AsyncDisposable {
  readonly #server = createServer((socket) => this.#hold(socket))
  readonly #sockets = new Set<Socket>()
  readonly #addresses = new Set<string>()
  /** The watches of these endpoints. */
  readonly watchIds: string[] = []

  /** Creates `count` endpoints and a watch for each. */
  static async open(client: Client, count: number): Promise<HangingEndpoints> {
    const endpoints = new HangingEndpoints()
    endpoints.#server.listen(0)
    await once(endpoints.#server, 'listening')
    await endpoints.#createWatches(client, count)
    return endpoints
  }

  /** The number of endpoints to which the service has connected. */
  get connected(): number {
    return this.#addresses.size
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const socket of this.#sockets) socket.destroy()
    this.#server.close()
    await once(this.#server, 'close')
  }

  #hold(socket: Socket): void {
    this.#sockets.add(socket)
    this.#addresses.add(socket.localAddress!)
    socket.on('error', () => {})
    socket.on('close', () => this.#sockets.delete(socket))
    socket.resume()
  }

  async #createWatches(client: Client, count: number): Promise<void> {
    const { port } = this.#server.address() as AddressInfo
    let next = 0
    const work = async () => {
      while (next < count) {
        const number = next++
        const url = `http://127.1.${number >> 8}.${number & 255}:${port}/hook`
        const watch = { name: url, filter: FILTER, url }
        const { status, body } = await client.requestUntilAnswered('POST', '/v1/watches', watch)
        if (status !== 201) throw new Error(`creating a watch got status ${status}: ${JSON.stringify(body)}`)
        this.watchIds.push(body.id as string)
      }
    }
    await Promise.all(Array.from({ length: CONCURRENCY }, work))
  }
}
