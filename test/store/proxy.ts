import { once } from 'node:events'
import { connect, createServer, type Socket } from 'node:net'

/** Stands between a store and its server, to be the network on a bad day. */
export interface Proxy extends AsyncDisposable {
  readonly url: string
  /** Swallows what comes from the server, as a line that has gone dead does: no end, no error. */
  freeze(): void
  thaw(): void
  /** Swallows whatever would come to those who listen for notifications: they never learn that they miss any. */
  deafen(): void
  /** Hangs up as soon as a client has sent this text, once it has reached the server. */
  hangUpAfter(text: string): void
}

export async function proxyTo(databaseUrl: string): Promise<Proxy> {
  const target = new URL(databaseUrl)
  const sockets = new Set<Socket>()
  let frozen = false
  let deaf = false
  let lastWords: string | null = null
  const listener = createServer((client) => {
    const server = connect(Number(target.port), target.hostname)
    let isListening = false
    for (const socket of [client, server]) {
      sockets.add(socket)
      socket.on('error', () => {})
      socket.on('close', () => {
        sockets.delete(socket)
        client.destroy()
        server.destroy()
      })
    }
    client.on('data', (bytes) => {
      isListening ||= bytes.includes('LISTEN ')
      const last = lastWords !== null && bytes.includes(lastWords)
      if (last) lastWords = null
      server.write(bytes, () => {
        // The server's answer shows that it has read them; it goes no further.
        if (last) server.removeAllListeners('data').once('data', () => client.destroy())
      })
    })
    server.on('data', (bytes) => {
      if (!frozen && !(deaf && isListening)) client.write(bytes)
    })
  })
  listener.listen(0, '127.0.0.1')
  await once(listener, 'listening')
  const url = new URL(databaseUrl)
  url.port = String((listener.address() as { port: number }).port)
  return {
    url: url.href,
    freeze: () => {
      frozen = true
    },
    thaw: () => {
      frozen = false
    },
    deafen: () => {
      deaf = true
    },
    hangUpAfter: (text) => {
      lastWords = text
    },
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy()
      listener.close()
      await once(listener, 'close')
    },
  }
}
