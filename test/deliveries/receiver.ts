import { once } from 'node:events'
import { createServer, type IncomingMessage, type RequestListener } from 'node:http'
import { createServer as createSecureServer } from 'node:https'
import { type AddressInfo, createServer as createRawServer, type Server, type Socket } from 'node:net'
import { CERTIFICATE, PRIVATE_KEY } from '../support/certificate.ts'

/** An endpoint on this machine that counts its connections. */
export interface Receiver extends AsyncDisposable {
  readonly port: number
  /** The number of connections made to it. */
  readonly connections: () => number
  /** The number of connections still open. */
  readonly open: () => number
}

export function receive(listener: RequestListener, address = '127.0.0.1'): Promise<Receiver> {
  return listen(createServer(listener), address)
}

export function receiveSecurely(listener: RequestListener): Promise<Receiver> {
  return listen(createSecureServer({ cert: CERTIFICATE, key: PRIVATE_KEY }, listener), '127.0.0.1')
}

/** Starts an endpoint that handles the socket itself, without HTTP. */
export function receiveRaw(listener: (socket: Socket) => void): Promise<Receiver> {
  return listen(createRawServer(listener), '127.0.0.1')
}

async function listen(server: Server, address: string): Promise<Receiver> {
  const sockets = new Set<Socket>()
  let connections = 0
  server.on('connection', (socket: Socket) => {
    connections++
    sockets.add(socket)
    socket.on('close', () => sockets.delete(socket))
    // A sender may reset the connection, which is expected here.
    socket.on('error', () => {})
  })
  server.listen(0, address)
  await once(server, 'listening')
  return {
    port: (server.address() as AddressInfo).port,
    connections: () => connections,
    open: () => sockets.size,
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy()
      server.close()
      await once(server, 'close')
    },
  }
}

export async function bodyOf(request: IncomingMessage): Promise<string> {
  return Buffer.concat(await request.toArray()).toString()
}

/** Every spelling of the loopback address that a URL's host allows. */
export const SPELLINGS_OF_LOOPBACK = [
  ...[
    '127.0.0.1',
    '127.0.0.1.',
    '127.1',
    '127.0.1',
    '2130706433',
    '017700000001',
    '0x7f000001',
    '0x7f.1',
    '0177.0.0.1',
  ],
  ...[
    '0177.0x0.0.01',
    '127.0.0.0x1',
    '127.255.255.254',
    '%31%32%37.0.0.1',
    '127%2e0%2e0%2e1',
    '１２７.0.0.1',
    '127。0。0。1',
  ],
  ...['①②⑦.0.0.1', '[::1]', '[0:0:0:0:0:0:0:1]', '[::ffff:127.0.0.1]', '[::ffff:7f00:1]', '[::127.0.0.1]', '[::]'],
  ...['[64:ff9b::127.0.0.1]', '[2002:7f00:1::]', '0', '0.0.0.0', 'localhost', 'LOCALHOST', 'localhost.', 'a.localhost'],
  ...['ｌｏｃａｌｈｏｓｔ', 'loc%61lhost', 'localhost.localdomain'],
]
