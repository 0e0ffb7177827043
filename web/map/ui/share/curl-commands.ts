import { addressText } from '../../view/view.ts'

/** A command that asks the API for what the page shows. */
export function listCommand(publicUrl: string, filter: URLSearchParams): string {
  const query = addressText(filter)
  return `curl ${quoted(`${publicUrl}/v1/incidents${query && `?${query}`}`)} \\\n  -H 'Authorization: Bearer <key>'`
}

export function incidentCommand(publicUrl: string, id: string): string {
  return `curl ${quoted(`${publicUrl}/v1/incidents/${id}`)} \\\n  -H 'Authorization: Bearer <key>'`
}

/** A command that has the API tell an endpoint of whatever comes to match. A watch looks ahead, so it takes no time. */
export function watchCommand(publicUrl: string, filter: URLSearchParams, name: string): string {
  const wanted: Record<string, string[] | number> = {}
  for (const [key, value] of filter) {
    if (key === 'min_confidence') wanted[key] = Number(value)
    else if (!['since', 'from', 'to', 'bbox'].includes(key)) wanted[key] = value.split(',')
  }
  const body = JSON.stringify({ name, url: 'https://example.org/hooks/incidents', filter: wanted }, null, 2)
  return `curl ${quoted(`${publicUrl}/v1/watches`)} \\\n  -H 'Authorization: Bearer <key>' \\\n  -H 'Content-Type: application/json' \\\n  -d ${quoted(body)}`
}

/** For a shell: within single quotes only the single quote itself means anything. */
function quoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`
}
