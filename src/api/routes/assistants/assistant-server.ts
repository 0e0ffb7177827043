import { ProtocolError, ProtocolErrorCode, ResourceNotFoundError, Server } from '@modelcontextprotocol/server'
import { Problem } from '../../../domain/errors.ts'
import { suggestNames } from '../../../lib/similar-names.ts'
import { callTool } from './call-tool.ts'
import { INCIDENT_URI } from './incident-brief.ts'
import type { ToolContext } from './tool.ts'
import { wholeSchema } from './tool-schema.ts'
import { readIncident } from './tools/get-incident.ts'
import { TOOLS } from './tools/tools.ts'

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
export function assistantServer(context: ToolContext): Server {
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
