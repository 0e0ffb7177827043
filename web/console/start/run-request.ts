import { RequestError } from '../../shared/parts/request.ts'

/** What the service said to a request that the page shows. */
export interface Answer {
  readonly status: number
  readonly milliseconds: number
  /** JSON, laid out for people. */
  readonly body: string
  /** How many incidents a list holds; null if it is none. */
  readonly incidents: number | null
}

/** Runs a read as a program would: with the key, or with the session where it is not known. */
export async function runRequest(path: string, key: string | null): Promise<Answer> {
  const started = performance.now()
  const headers: Record<string, string> = key === null ? {} : { authorization: `Bearer ${key}` }
  let response: Response
  let text: string
  try {
    response = await fetch(path, { headers, cache: 'no-store' })
    text = await response.text()
  } catch {
    throw new RequestError(0, 'unreachable', 'The service cannot be reached. Check your connection and try again.')
  }
  const milliseconds = Math.round(performance.now() - started)
  const json = parse(text)
  const list = (json as { data?: unknown } | undefined)?.data
  return {
    status: response.status,
    milliseconds,
    body: json === undefined ? text : JSON.stringify(json, null, 2),
    incidents: Array.isArray(list) ? list.length : null,
  }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
