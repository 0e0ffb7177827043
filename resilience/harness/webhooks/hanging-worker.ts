/**
 * Accepts every connection and never responds, in a thread of its own, so that thousands of
 * connections do not delay what the main thread measures. Answers each message with the counts.
 */
import { type AddressInfo, createServer } from 'node:net'
import { parentPort } from 'node:worker_threads'

const addresses = new Set<string>()
let connections = 0
const server = createServer((socket) => {
  connections++
  addresses.add(socket.localAddress!)
  socket.on('error', () => {})
  socket.resume()
})
server.listen(0, () => parentPort!.postMessage({ port: (server.address() as AddressInfo).port }))
parentPort!.on('message', () => parentPort!.postMessage({ addresses: addresses.size, connections }))
