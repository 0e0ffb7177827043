import {
  createMcpHandler,
  INVALID_REQUEST,
  isLegacyRequest,
  METHOD_NOT_FOUND,
  WebStandardStreamableHTTPServerTransport,
} from '@modelcontextprotocol/server'
import { assistantServer } from './assistant-server.ts'
import type { ToolContext } from './tool.ts'

/** The headers that the protocol gives a meaning. */
const PROTOCOL_HEADERS = ['mcp-protocol-version', 'mcp-method', 'mcp-name'] as const

/** Answers one message: in the revision of 2026 or, for older clients, in those of 2025. */
export class AssistantProtocol {
  readonly #contexts = new WeakMap<Request, ToolContext>()
  readonly #newest = createMcpHandler(({ requestInfo }) => this.#serverFor(requestInfo!), { legacy: 'reject' })

  async answer(
    message: unknown,
    headers: Readonly<Record<string, string | string[] | undefined>>,
    context: ToolContext,
  ): Promise<Response> {
    const refused = refusal(message)
    if (refused !== null) return refused
    const request = requestOf(headers, context.asker.signal())
    this.#contexts.set(request, context)
    if (!(await isLegacyRequest(request, message))) return this.#newest.fetch(request, { parsedBody: message })
    const server = this.#serverFor(request)
    // Without a session, as the handler of the newest revision does, but never with a stream.
    const transport = new WebStandardStreamableHTTPServerTransport({ enableJsonResponse: true })
    await server.connect(transport)
    try {
      return await transport.handleRequest(request, { parsedBody: message })
    } finally {
      await server.close()
    }
  }

  readonly #serverFor = (request: Request) => assistantServer(this.#contexts.get(request)!)
}

/** The client's `Accept` has been checked: any that takes JSON is answered. */
function requestOf(given: Readonly<Record<string, string | string[] | undefined>>, signal: AbortSignal): Request {
  const headers = new Headers({ 'content-type': 'application/json', accept: 'application/json, text/event-stream' })
  for (const name of PROTOCOL_HEADERS) {
    const value = given[name]
    if (typeof value === 'string') headers.set(name, value)
  }
  return new Request('http://localhost/mcp', { method: 'POST', headers, signal })
}

/**
 * Refuses, before any work, what this server never does (batches, open subscriptions) and ids that
 * no answer may carry.
 */
function refusal(message: unknown): Response | null {
  if (Array.isArray(message)) return rpcError(400, INVALID_REQUEST, 'Send one message a request, not a batch.', null)
  if (typeof message !== 'object' || message === null)
    return rpcError(400, INVALID_REQUEST, 'The body must be a JSON-RPC message.', null)
  const { method, id } = message as { method?: unknown; id?: unknown }
  // A wrong id is not repeated: an answer may carry only what the protocol allows.
  if (id !== undefined && typeof id !== 'string' && !Number.isInteger(id))
    return rpcError(400, INVALID_REQUEST, 'The id must be a string or a whole number.', null)
  if (method === 'subscriptions/listen')
    return rpcError(404, METHOD_NOT_FOUND, 'Nothing to subscribe to: for live incidents, use GET /v1/stream.', id)
  return null
}

function rpcError(status: number, code: number, message: string, id: unknown): Response {
  return Response.json({ jsonrpc: '2.0', error: { code, message }, id: id ?? null }, { status })
}
