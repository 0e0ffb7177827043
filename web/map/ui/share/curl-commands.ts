import { type Shapes, shapeMembers } from '../../view/shapes.ts'
import { addressText } from '../../view/view.ts'

/**
 * Returns a command that requests the incidents that the page shows; along a road or in a drawn
 * area with a POST.
 */
export function listCommand(publicUrl: string, filter: URLSearchParams, shapes: Shapes): string {
  const members = shapeMembers(shapes)
  if (members !== null)
    return postCommand(`${publicUrl}/v1/incidents/query`, { ...Object.fromEntries(filter), ...members })
  const query = addressText(filter)
  return getCommand(`${publicUrl}/v1/incidents${query && `?${query}`}`)
}

export function incidentCommand(publicUrl: string, id: string): string {
  return getCommand(`${publicUrl}/v1/incidents/${id}`)
}

/**
 * Returns a command that creates a watch for the filter. A watch reports only what is published
 * from then on, so it takes no time.
 */
export function watchCommand(publicUrl: string, filter: URLSearchParams, shapes: Shapes, name: string): string {
  const watchFilter: Record<string, unknown> = {}
  for (const [key, value] of filter) {
    if (key === 'min_confidence') watchFilter[key] = Number(value)
    else if (!['since', 'from', 'to', 'bbox'].includes(key)) watchFilter[key] = value.split(',')
  }
  Object.assign(watchFilter, shapeMembers(shapes))
  return postCommand(`${publicUrl}/v1/watches`, {
    name,
    url: 'https://example.org/hooks/incidents',
    filter: watchFilter,
  })
}

const AUTHORIZATION = `-H 'Authorization: Bearer <key>'`

function getCommand(url: string): string {
  return `curl ${shellQuoted(url)} \\\n  ${AUTHORIZATION}`
}

function postCommand(url: string, body: object): string {
  const data = shellQuoted(JSON.stringify(body, null, 2))
  return `${getCommand(url)} \\\n  -H 'Content-Type: application/json' \\\n  -d ${data}`
}

/** Quotes a shell argument: within single quotes only the single quote itself is special. */
function shellQuoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`
}
