import { Problem } from '../../../domain/errors.ts'
import { askAssistantServer } from '../../contract/assistants/assistants.ts'
import { QueryClient } from '../../requests/client.ts'
import { parseWeights } from '../../requests/negotiation.ts'
import type { Router } from '../../router.ts'
import type { AssistantProtocol } from './protocol.ts'

/** Serves `/mcp` for assistants. */
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
  const { AssistantProtocol } = await import('./protocol.ts')
  return new AssistantProtocol()
}

function refuseUnlessJson(accept = '*/*'): void {
  const weights = parseWeights(accept)
  if ((weights.get('application/json') ?? weights.get('application/*') ?? weights.get('*/*') ?? 0) > 0) return
  throw new Problem('not_acceptable', 'Accept must allow application/json; or leave it out.', {
    errors: [{ message: 'the Accept header does not allow it', allowed: ['application/json'] }],
  })
}
