import { once } from 'node:events'
import { connect, createServer, type Socket } from 'node:net'

/** Simulates network faults between a store and its server. */
export interface Proxy extends AsyncDisposable {
  readonly url: string
  /** Drops all data from the server, without closing the connection or reporting an error. */
  freeze(): void
  thaw(): void
  /** Forwards nothing in either direction, not even the end of a connection, until `heal`. */
  partition(): void
  heal(): void
  /** Partitions once the server has received this text from a client, before it answers. */
  partitionAfter(text: string): Promise<void>
  /** Drops all data to connections that listen for notifications. */
  dropNotifications(): void
  /** Closes the client's connection once the server has received this text from it. */
  disconnectAfter(text: string): void
}

export async function proxyTo(databaseUrl: string): Promise<Proxy> {
  const target = new URL(databaseUrl)
  const sockets = new Set<Socket>()
  let frozen = false
  let partitioned = false
  let partitionText: string | null = null
  let onPartition: () => void = () => {}
  let dropsNotifications = false
  let disconnectText: string | null = null
  const listener = createServer((client) => {
    const server = connect(Number(target.port), target.hostname)
    let isListening = false
    for (const socket of [client, server]) {
      sockets.add(socket)
      socket.on('error', () => {})
      socket.on('close', () => {
        sockets.delete(socket)
        // Behind a partition neither side learns that the other one has closed.
        if (partitioned) return
        client.destroy()
        server.destroy()
      })
    }
    client.on('data', (bytes) => {
      if (partitioned) return
      if (partitionText !== null && bytes.includes(partitionText)) {
        partitionText = null
        server.write(bytes, () => {
          partitioned = true
          onPartition()
        })
        return
      }
      isListening ||= bytes.includes('LISTEN ')
      const last = disconnectText !== null && bytes.includes(disconnectText)
      if (last) disconnectText = null
      server.write(bytes, () => {
        // The server's answer shows that it has received the text; the client never gets the
        // answer.
        if (last) server.removeAllListeners('data').once('data', () => client.destroy())
      })
    })
    server.on('data', (bytes) => {
      if (!frozen && !partitioned && !(dropsNotifications && isListening)) client.write(bytes)
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
    partition: () => {
      partitioned = true
    },
    heal: () => {
      partitioned = false
      // Dropped bytes never arrive: a real connection would be reset by its first packet.
      for (const socket of sockets) socket.destroy()
    },
    partitionAfter: (text) =>
      new Promise((resolve) => {
        partitionText = text
        onPartition = resolve
      }),
    dropNotifications: () => {
      dropsNotifications = true
    },
    disconnectAfter: (text) => {
      disconnectText = text
    },
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy()
      listener.close()
      await once(listener, 'close')
    },
  }
}
