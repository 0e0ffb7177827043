import { createSocket, type Socket } from 'node:dgram'
import { once } from 'node:events'

/** Returns the IPv4 address of a name, `unknown` for a name that does not exist, or `silent`. */
export type AnswerName = (name: string) => string | 'unknown' | 'silent'

const TYPE_A = 1
const NAME_ERROR = 3
const TTL_SECONDS = 1

/** A name server on this machine (UDP), which can be silent about some names. */
export class NameServer implements AsyncDisposable {
  readonly #socket: Socket
  /** May be changed at any time. */
  answerName: AnswerName
  /** Queries by name. */
  readonly queries = new Map<string, number>()

  static async listen(answerName: AnswerName): Promise<NameServer> {
    const socket = createSocket('udp4')
    socket.bind(0, '127.0.0.1')
    await once(socket, 'listening')
    return new NameServer(socket, answerName)
  }

  private constructor(socket: Socket, answerName: AnswerName) {
    this.#socket = socket
    this.answerName = answerName
    socket.on('message', (query, sender) => {
      const response = this.#responseTo(query)
      if (response !== null) socket.send(response, sender.port, sender.address)
    })
  }

  /** As the setting `DNS_SERVERS` takes it. */
  get address(): string {
    return `127.0.0.1:${this.#socket.address().port}`
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#socket.close()
    await once(this.#socket, 'close')
  }

  /** Returns null for a name to be silent about. */
  #responseTo(query: Buffer): Buffer | null {
    const { name, type, end } = questionOf(query)
    this.queries.set(name, (this.queries.get(name) ?? 0) + 1)
    const answer = this.answerName(name)
    if (answer === 'silent') return null
    const question = query.subarray(12, end)
    const header = Buffer.from(query.subarray(0, 12))
    const isAnswered = answer !== 'unknown' && type === TYPE_A
    header.writeUInt16BE(0x8180 | (answer === 'unknown' ? NAME_ERROR : 0), 2)
    header.writeUInt16BE(1, 4)
    header.writeUInt16BE(isAnswered ? 1 : 0, 6)
    header.writeUInt32BE(0, 8)
    return Buffer.concat(isAnswered ? [header, question, addressRecord(answer)] : [header, question])
  }
}

function questionOf(query: Buffer): { name: string; type: number; end: number } {
  const labels: string[] = []
  let at = 12
  for (let length = query[at]!; length > 0; length = query[at]!) {
    labels.push(query.toString('latin1', at + 1, at + 1 + length))
    at += 1 + length
  }
  return { name: labels.join('.').toLowerCase(), type: query.readUInt16BE(at + 1), end: at + 5 }
}

/** An A record whose name points to the question. */
function addressRecord(address: string): Buffer {
  const record = Buffer.alloc(16)
  record.writeUInt16BE(0xc00c, 0)
  record.writeUInt16BE(TYPE_A, 2)
  record.writeUInt16BE(1, 4)
  record.writeUInt32BE(TTL_SECONDS, 6)
  record.writeUInt16BE(4, 10)
  record.set(address.split('.').map(Number), 12)
  return record
}
