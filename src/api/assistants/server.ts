import {
  createMcpHandler,
  INVALID_REQUEST,
  isLegacyRequest,
  METHOD_NOT_FOUND,
  ProtocolError,
  ProtocolErrorCode,
  ResourceNotFoundError,
  Server,
  WebStandardStreamableHTTPServerTransport,
} from '@modelcontextprotocol/server'
import { type FieldError, invalidParameters, nameHints, Problem } from '../../domain/errors.ts'
import { suggestNames } from '../../lib/similar-names.ts'
import { problemFrom } from '../problem.ts'
import {
  INCIDENT_URI,
  type ResourceLink,
  readIncident,
  TOOLS,
  type Tool,
  type ToolArguments,
  type ToolContext,
  wholeSchema,
} from './tools.ts'

const INSTRUCTIONS = `Geocoded security incidents in Nigeria, confirmed by editors; every tool only reads.
Say how sure an incident is (confidence, sources) and how precise its place and time are. Unknown numbers are null, not 0.
Names of states and LGAs are checked: a wrong one is answered with suggestions. Times are UTC; Nigeria is UTC+1.`

/** The tools change only with a new version of the service. */
const HOUR = { ttlMs: 3_600_000, cacheScope: 'public' } as const

const LISTED = TOOLS.map(({ name, title, description, input, output }) => ({
  name,
  title,
  description,
  inputSchema: wholeSchema(input),
  outputSchema: wholeSchema(output),
  annotations: { title, readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
}))

const TEMPLATES = [
  {
    uriTemplate: `${INCIDENT_URI}{id}`,
    name: 'incident',
    title: 'An incident',
    description: 'One public incident as JSON, as GET /v1/incidents/{id} answers it.',
    mimeType: 'application/json',
  },
]

/** Creates the server of one request: the protocol is stateless, and a server costs little. */
function assistantServer(context: ToolContext): Server {
  const server = new Server(
    { name: 'incident-feed', title: 'Incident Feed', version: context.environment.version },
    {
      capabilities: { tools: {}, resources: {} },
      instructions: INSTRUCTIONS,
      cacheHints: { 'tools/list': HOUR, 'resources/templates/list': HOUR, 'server/discover': HOUR },
    },
  )
  server.setRequestHandler('tools/list', () => ({ tools: LISTED }))
  server.setRequestHandler('tools/call', ({ params: { name, arguments: given = {} } }) => {
    const tool = TOOLS.find((one) => one.name === name)
    if (tool === undefined) throw new ProtocolError(ProtocolErrorCode.InvalidParams, unknownTool(name))
    return callTool(tool, given, context)
  })
  // The incidents are too many to list: tools find them.
  server.setRequestHandler('resources/list', () => ({ resources: [] }))
  server.setRequestHandler('resources/templates/list', () => ({ resourceTemplates: TEMPLATES }))
  server.setRequestHandler('resources/read', ({ params: { uri } }) => ({
    contents: [{ uri, mimeType: 'application/json', text: JSON.stringify(resourceAt(uri, context)) }],
  }))
  return server
}

function resourceAt(uri: string, context: ToolContext): object {
  try {
    return readIncident(context, uri.startsWith(INCIDENT_URI) ? uri.slice(INCIDENT_URI.length) : '')
  } catch (error) {
    if (!(error instanceof Problem)) throw error
    throw new ResourceNotFoundError(uri.slice(0, 200), error.message)
  }
}

function unknownTool(name: string): string {
  const names = TOOLS.map((tool) => tool.name)
  const [similar] = suggestNames(name.slice(0, 100), names)
  return `There is no tool of this name; ${similar ? `did you mean ${similar}?` : `there are ${names.join(', ')}.`}`
}

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

/**
 * Calls a tool. A fault in the arguments is a result too, so that the assistant reads the hints.
 */
async function callTool(tool: Tool, given: ToolArguments, context: ToolContext) {
  try {
    refuseUnknown(tool, given)
    const { content, links } = await tool.call(given, context)
    return {
      content: [text(JSON.stringify(content)), ...links.map(linkContent)],
      structuredContent: content as Record<string, unknown>,
    }
  } catch (error) {
    if (!(error instanceof Problem)) context.onError(error)
    return { content: [text(sentences(problemFrom(error)))], isError: true }
  }
}

function refuseUnknown({ input }: Tool, given: ToolArguments): void {
  const known = Object.keys((input as { properties?: object }).properties ?? {})
  const unknown = Object.keys(given).find((name) => !known.includes(name))
  if (unknown === undefined) return
  const shown = unknown.slice(0, 100)
  throw invalidParameters([{ pointer: `/${shown}`, message: 'is not an argument', ...nameHints(shown, known) }])
}

/** Writes a problem as an assistant reads it: what is wrong, and what would be right. */
function sentences({ message, errors, code }: Problem): string {
  return [`${message} (${code})`, ...errors.flatMap(hintsOf)].join('\n')
}

function hintsOf({ parameter, pointer, did_you_mean, allowed, candidates }: FieldError): string[] {
  const name = parameter ?? pointer ?? ''
  if (did_you_mean) return [`${name}: did you mean ${did_you_mean.join(', ')}?`]
  if (candidates) return [`${name}: may be ${candidates.map((place) => `${place.name}, ${place.state}`).join('; ')}`]
  return allowed ? [`${name}: allowed are ${allowed.join(', ')}`] : []
}

const text = (content: string) => ({ type: 'text' as const, text: content })

const linkContent = (link: ResourceLink) => ({ type: 'resource_link' as const, ...link })
