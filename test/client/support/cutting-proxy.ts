import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'

/** Passes TCP connections on to a service, and cuts them. */
export interface CuttingProxy extends AsyncDisposable {
  readonly url: string
  /** The connections cut so far. */
  readonly cuts: number
  /** The answered bytes after which the next connections are cut; null lets them live. */
  cutAfter: () => number | null
}

export async function startCuttingProxy(target: string): Promise<CuttingProxy> {
  const { hostname, port } = new URL(target)
  const sockets = new Set<Socket>()
  let cuts = 0
  const server = createServer((client) => {
    const service = connect(Number(port), hostname)
    let left = proxy.cutAfter()
    for (const socket of [client, service]) {
      sockets.add(socket)
      socket.on('close', () => {
        sockets.delete(socket)
        client.destroy()
        service.destroy()
      })
      // Cut connections end with an error on either side.
      socket.on('error', () => {})
    }
    client.pipe(service)
    service.on('data', (bytes) => {
      if (left === null || bytes.length <= left) {
        if (left !== null) left -= bytes.length
        client.write(bytes)
      } else if (!client.destroyed) {
        cuts++
        client.write((bytes as Buffer).subarray(0, left), () => client.destroy())
        service.destroy()
      }
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const proxy = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    get cuts() {
      return cuts
    },
    cutAfter: (): number | null => null,
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy()
      server.close()
      await once(server, 'close')
    },
  }
  return proxy
}
