import { ApiError } from '../api-client.ts'

const UNREACHABLE = 'The service cannot be reached. Check your connection and try again.'
const FAILED = 'The service has a problem. Try again in a minute.'

/** An `ApiError` with the code of the problem, such as `used_link`; null if there was none. */
export class SendError extends ApiError {
  readonly code: string | null
  constructor(status: number, message: string, code: string | null) {
    super(status, message)
    this.code = code
  }
}

/** Sends a request as the person who is signed in: the browser adds the cookie. */
export async function send<Body>(method: 'GET' | 'POST' | 'DELETE', path: string, body?: object): Promise<Body> {
  const content = { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }
  let response: Response
  try {
    response = await fetch(path, { method, ...(body === undefined ? {} : content) })
  } catch {
    throw new SendError(0, UNREACHABLE, null)
  }
  if (response.ok) return (response.status === 204 ? undefined : await response.json()) as Body
  const problem = (await response.json().catch(() => null)) as { detail?: string; code?: string } | null
  throw new SendError(response.status, problem?.detail ?? FAILED, problem?.code ?? null)
}

/** What to show of an error that was not foreseen either. */
export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}
