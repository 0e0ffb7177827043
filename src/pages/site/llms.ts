/** `/llms.txt`: the links that an assistant needs, after https://llmstxt.org. */
export function llmsText(publicUrl: string): string {
  const link = (path: string, title: string, note: string) => `- [${title}](${publicUrl}${path}): ${note}`
  return `# Incident Feed

> Geocoded security incidents in Nigeria, confirmed by editors: a REST API, signed webhooks, a live stream, an archive and a public map.

Every request of the API has the header \`Authorization: Bearer <key>\`; \`POST /v1/keys\` with \`{"email": "you@example.org"}\` gives one.
Unknown numbers are \`null\`, never 0. Say how sure an incident is: \`confidence\`, \`sources\`, \`location.precision\`. A retracted incident (410) must not be repeated.

## Assistants

${link('/mcp', 'MCP server', 'Model Context Protocol, streamable HTTP, Bearer key; read-only tools search_incidents, get_incident, area_summary, statistics, trends, locate')}

## Documentation

${link('/docs', 'Guides and reference', 'first request, filters, paging, webhooks, streaming, errors')}
${link('/openapi.json', 'OpenAPI', 'every endpoint, parameter, answer and webhook')}

## Optional

${link('/', 'Map', 'the public map, for people')}
${link('/about', 'About', 'where the data comes from and what it leaves out')}
`
}
