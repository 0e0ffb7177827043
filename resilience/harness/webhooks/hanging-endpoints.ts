import { once } from 'node:events'
import { type AddressInfo, createServer, type Socket } from 'node:net'
import type { Client } from '../clients/client.ts'

const AT_A_TIME = 20
const FILTER = { min_severity: 'high' }

/** Endpoints at an address each, that accept every connection and never say a word. */
export class HangingEndpoints implements AsyncDisposable {
  readonly #server = createServer((socket) => this.#hold(socket))
  readonly #sockets = new Set<Socket>()
  readonly #addresses = new Set<string>()
  /** Of their watches. */
  readonly watchIds: string[] = []

  /** Makes a watch for each of so many. */
  static async open(client: Client, count: number): Promise<HangingEndpoints> {
    const endpoints = new HangingEndpoints()
    endpoints.#server.listen(0)
    await once(endpoints.#server, 'listening')
    await endpoints.#watch(client, count)
    return endpoints
  }

  /** How many have been called. */
  get called(): number {
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

  async #watch(client: Client, count: number): Promise<void> {
    const { port } = this.#server.address() as AddressInfo
    let next = 0
    const some = async () => {
      while (next < count) {
        const number = next++
        const url = `http://127.1.${number >> 8}.${number & 255}:${port}/hook`
        const { status, body } = await client.requestUntilAnswered('POST', '/v1/watches', {
          name: url,
          filter: FILTER,
          url,
        })
        if (status !== 201) throw new Error(`a watch was answered ${status}: ${JSON.stringify(body)}`)
        this.watchIds.push(body.id as string)
      }
    }
    await Promise.all(Array.from({ length: AT_A_TIME }, some))
  }
}
