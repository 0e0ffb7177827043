import Type from 'typebox'
import { Problem } from '../../domain/errors.ts'
import { endpointsOf, ok } from '../contract/endpoint.ts'
import { NamedObject, Nullable, OneOf, Text } from '../contract/schema.ts'
import { parseWeights, QueryClient } from '../request.ts'
import type { Router } from '../router.ts'
import type { AssistantProtocol } from './server.ts'

const endpoint = endpointsOf({ tag: 'Assistants', scope: 'read' })

const version = OneOf(['2.0'])
const id = Type.Union([Type.String(), Type.Integer()])

const AssistantMessage = NamedObject(
  'AssistantMessage',
  {
    jsonrpc: version,
    id: Type.Optional({ ...id, description: 'Left out in a notification.' }),
    method: Text('Such as `tools/list` or `tools/call`.'),
    params: Type.Optional(Type.Object({}, { additionalProperties: true })),
  },
  {
    description: 'One JSON-RPC message of the Model Context Protocol.',
    example: {
      jsonrpc: '2.0',
      id: 1,
      method: 'tools/call',
      params: { name: 'search_incidents', arguments: { state: ['Kaduna'], since: '7d' } },
    },
  },
)

NamedObject(
  'AssistantAnswer',
  {
    jsonrpc: version,
    id: Nullable(id),
    result: Type.Optional(Type.Object({}, { additionalProperties: true })),
    error: Type.Optional(
      Type.Object({ code: Type.Integer(), message: Type.String(), data: Type.Optional(Type.Unknown()) }),
    ),
  },
  { description: 'A JSON-RPC answer: `result`, or `error`.' },
)

const askAssistantServer = endpoint('askAssistantServer', 'POST /mcp', {
  summary: 'Ask as an assistant does',
  description:
    'A server of the Model Context Protocol (streamable HTTP, stateless): an assistant lists the tools and calls them. All tools only read. ' +
    'One message a request; answers are JSON, never a stream, so GET is answered with 405. Each request counts as any other of the key. What is wrong with a message is said by a JSON-RPC error, also where the status is 400.',
  readsOnly: true,
  body: AssistantMessage,
  bodyCheck: 'by the handler',
  response: ok('The answer to a request.', Type.Ref('AssistantAnswer')),
  otherResponses: [
    { status: 202, description: 'A notification was received.', schema: null },
    { status: 400, description: 'No message that the server knows.', schema: Type.Ref('AssistantAnswer') },
  ],
  problems: ['not_acceptable'],
})

export function assistantRoutes(router: Router): void {
  const { environment } = router
  let protocol: Promise<AssistantProtocol> | null = null

  router.add(askAssistantServer, async ({ request, reply, body, services }) => {
    refuseUnlessJson(request.headers.accept)
    const onError = (error: unknown) =>
      request.log.error({ err: error, request_id: request.id }, 'a tool of an assistant failed')
    const context = { request, environment, services, asker: new QueryClient(request, reply), onError }
    protocol ??= loadProtocol()
    const answer = await (await protocol).answer(body, request.headers, context)
    reply.header('cache-control', 'no-store').status(answer.status)
    if (answer.body === null) return reply.send()
    return reply.type('application/json; charset=utf-8').send(Buffer.from(await answer.arrayBuffer()))
  })
}

/** With the first message: it is a hundred modules, and most services never get one. */
async function loadProtocol(): Promise<AssistantProtocol> {
  const { AssistantProtocol } = await import('./server.ts')
  return new AssistantProtocol()
}

function refuseUnlessJson(accept = '*/*'): void {
  const weights = parseWeights(accept)
  if ((weights.get('application/json') ?? weights.get('application/*') ?? weights.get('*/*') ?? 0) > 0) return
  throw new Problem('not_acceptable', 'Accept must allow application/json; or leave it out.', {
    errors: [{ message: 'the Accept header does not allow it', allowed: ['application/json'] }],
  })
}
