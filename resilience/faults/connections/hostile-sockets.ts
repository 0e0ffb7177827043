import { connect, type Socket } from 'node:net'

/** An address of their own, so that what they use up is not missing elsewhere. */
const LOCAL_ADDRESS = '127.0.0.2'

const NAMES = ['silent', 'half headers', 'half a body', 'never reads', 'not HTTP', 'open stream'] as const
export type HostileKind = (typeof NAMES)[number]

/** Clients that do not read do not notice either when they are closed. */
export type ReadingKind = Exclude<HostileKind, 'never reads' | 'open stream'>

/** The bytes that each kind of client sends; none of them closes or reads. */
function bytesOf(kind: HostileKind, key: string): string {
  const authorized = `Host: a\r\nAuthorization: Bearer ${key}\r\n`
  const post = `POST /v1/keys HTTP/1.1\r\n${authorized}Content-Type: application/json\r\n`
  return {
    silent: '',
    'half headers': 'GET / HTTP/1.1\r\nHost: a\r\n',
    'half a body': `${post}Content-Length: 1000\r\n\r\n{"name":`,
    'never reads': `GET /v1/incidents?limit=1000 HTTP/1.1\r\n${authorized}\r\n`.repeat(100),
    'not HTTP': 'NONSENSE\r\n\r\n',
    'open stream': `GET /v1/stream HTTP/1.1\r\n${authorized}\r\n`,
  }[kind]
}

/** Connections that only hold resources, and when each was closed by the service. */
export class HostileSockets implements Disposable {
  readonly #sockets: Socket[] = []
  readonly #openedAt = performance.now()
  readonly #open = new Map<HostileKind, number>()
  readonly #lastClosedMs = new Map<HostileKind, number>()

  constructor(url: string, key: string, ofEach: number) {
    for (const kind of NAMES) {
      this.#open.set(kind, ofEach)
      for (let count = 0; count < ofEach; count++) this.#openOne(url, kind, bytesOf(kind, key))
    }
  }

  /** The number of connections of this kind that the service has not closed. */
  openOf(kind: ReadingKind): number {
    return this.#open.get(kind)!
  }

  /** Seconds from the opening to the last closing of this kind. */
  secondsUntilClosed(kind: ReadingKind): number {
    return (this.#lastClosedMs.get(kind) ?? Number.POSITIVE_INFINITY) / 1000
  }

  [Symbol.dispose](): void {
    for (const socket of this.#sockets) socket.destroy()
  }

  #openOne(url: string, kind: HostileKind, bytes: string): void {
    const { hostname, port } = new URL(url)
    const socket = connect({ host: hostname, port: Number(port), localAddress: LOCAL_ADDRESS, allowHalfOpen: true })
    this.#sockets.push(socket)
    socket.on('error', () => {})
    socket.on('close', () => {
      this.#open.set(kind, this.#open.get(kind)! - 1)
      this.#lastClosedMs.set(kind, performance.now() - this.#openedAt)
    })
    if (kind === 'never reads' || kind === 'open stream') socket.pause()
    else socket.resume().on('end', () => this.#writeUntilReset(socket))
    if (bytes !== '') socket.write(bytes)
  }

  /** Only a write shows that the service has not merely ended its side, but closed the socket. */
  #writeUntilReset(socket: Socket): void {
    const timer = setInterval(() => {
      if (socket.destroyed) clearInterval(timer)
      else socket.write('x')
    }, 200)
  }
}
