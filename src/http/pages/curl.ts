import type { Endpoint } from '../../contract/endpoint.ts'
import type { Parameter } from '../../query/filter/parameters.ts'

/** Uses the examples of the first two parameters and of the body. */
export function curlFor({ method, path, query = {}, body, scope, response }: Endpoint, publicUrl: string): string {
  const parameters = Object.entries<Parameter>(query).slice(0, 2)
  const search = parameters.map(([name, { example }]) => `${name}=${example}`).join('&')
  const unbuffered = response.contentType === 'text/event-stream' ? '-N ' : ''
  const lines = [
    `curl ${unbuffered}${method === 'DELETE' || (method === 'POST' && !body) ? `-X ${method} ` : ''}'${publicUrl}${path}${search && `?${search}`}'`,
  ]
  if (scope !== null) lines.push(`-H 'Authorization: Bearer <key>'`)
  if (body)
    lines.push(
      `-H 'Content-Type: application/json'`,
      `-d '${JSON.stringify((body as { example?: unknown }).example ?? {})}'`,
    )
  return lines.join(' \\\n  ')
}
