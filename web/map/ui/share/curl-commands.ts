import { addressText } from '../../view/view.ts'

/** Returns a command that requests the incidents that the page shows. */
export function listCommand(publicUrl: string, filter: URLSearchParams): string {
  const query = addressText(filter)
  return `curl ${shellQuoted(`${publicUrl}/v1/incidents${query && `?${query}`}`)} \\\n  -H 'Authorization: Bearer <key>'`
}

export function incidentCommand(publicUrl: string, id: string): string {
  return `curl ${shellQuoted(`${publicUrl}/v1/incidents/${id}`)} \\\n  -H 'Authorization: Bearer <key>'`
}

/**
 * Returns a command that creates a watch for the filter. A watch reports only what is published
 * from then on, so it takes no time.
 */
export function watchCommand(publicUrl: string, filter: URLSearchParams, name: string): string {
  const watchFilter: Record<string, string[] | number> = {}
  for (const [key, value] of filter) {
    if (key === 'min_confidence') watchFilter[key] = Number(value)
    else if (!['since', 'from', 'to', 'bbox'].includes(key)) watchFilter[key] = value.split(',')
  }
  const body = JSON.stringify({ name, url: 'https://example.org/hooks/incidents', filter: watchFilter }, null, 2)
  return `curl ${shellQuoted(`${publicUrl}/v1/watches`)} \\\n  -H 'Authorization: Bearer <key>' \\\n  -H 'Content-Type: application/json' \\\n  -d ${shellQuoted(body)}`
}

/** Quotes a shell argument: within single quotes only the single quote itself is special. */
function shellQuoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`
}
