/**
 * The minimal Fastify server: returns given bytes with their type, without keys, limits or ETags.
 */
import Fastify, { type FastifyReply, type FastifyRequest } from 'fastify'
import { answerParent } from '../harness/child.ts'

let only: Uint8Array | null = null
let bodies: ReadonlyMap<string, Uint8Array> = new Map()

const server = Fastify()
const answer = (request: FastifyRequest, reply: FastifyReply) =>
  reply.header('content-type', 'application/json; charset=utf-8').send(only ?? bodies.get(request.raw.url!))
server.get('/v1/incidents', answer)
server.get('/v1/incidents/:id', answer)

answerParent(
  { url: await server.listen({ port: 0, host: '127.0.0.1' }) },
  {
    serve(given) {
      bodies = given
      only = given.size === 1 ? [...given.values()][0]! : null
      return null
    },
  },
)
