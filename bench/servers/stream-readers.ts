/** Many stream readers, each only a socket, so that no client library is measured. */
import { once } from 'node:events'
import { connect } from 'node:net'
import { answerParent } from '../harness/child.ts'

/** More would overflow the accept queue, and the connections would wait for a retransmission. */
const CONCURRENCY = 100
const EVENT = '\nevent: incident.'

let reached: number[] = []
let waitingFor = 0
let all = () => {}

answerParent(null, {
  async openStreams({ url, key, paths }) {
    const { hostname, port } = new URL(url)
    let next = 0
    const worker = async () => {
      while (next < paths.length) {
        const socket = connect(Number(port), hostname)
        socket.write(`GET ${paths[next++]} HTTP/1.1\r\nHost: ${hostname}\r\nAuthorization: Bearer ${key}\r\n\r\n`)
        const [head] = (await once(socket, 'data')) as [Buffer]
        if (!head.toString('latin1').startsWith('HTTP/1.1 200')) throw new Error(head.toString('latin1'))
        socket.on('data', (bytes: Buffer) => {
          if (!bytes.toString('latin1').includes(EVENT)) return
          reached.push(Date.now())
          if (reached.length === waitingFor) all()
        })
      }
    }
    await Promise.all(Array.from({ length: CONCURRENCY }, worker))
    return null
  },
  expectEvent(readers) {
    reached = []
    waitingFor = readers
    return null
  },
  async reachedAt() {
    if (reached.length < waitingFor)
      await new Promise<void>((resolve) => {
        all = resolve
      })
    return reached
  },
})
