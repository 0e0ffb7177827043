/** A minimal endpoint: reads the POST and responds 204. */
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { answerParent } from '../harness/child.ts'

const server = createServer((request, response) => {
  request.resume().on('end', () => response.writeHead(204).end())
})
server.listen(0, '127.0.0.1')
await once(server, 'listening')
answerParent({ url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook` }, {})
