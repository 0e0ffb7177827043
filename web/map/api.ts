import { initialData } from './initial-data.ts'

/** The API said no, or could not be reached (status 0). */
export class Refused extends Error {
  readonly status: number
  constructor(status: number, message: string) {
    super(message)
    this.status = status
  }
}

export function headers(): Record<string, string> {
  return initialData.key === null ? {} : { authorization: `Bearer ${initialData.key}` }
}

/** Asks the public API, as any client would, with the page's publishable key. */
export async function ask<Answer>(path: string, query: URLSearchParams | null, signal?: AbortSignal): Promise<Answer> {
  const search = query?.toString() ?? ''
  const response = await reach(`${path}${search && `?${search}`}`, signal)
  if (!response.ok) throw new Refused(response.status, await reasonOf(response))
  return (await response.json()) as Answer
}

async function reach(url: string, signal: AbortSignal | undefined): Promise<Response> {
  try {
    return await fetch(url, { headers: headers(), signal: signal ?? null })
  } catch (error) {
    if (signal?.aborted) throw error
    throw new Refused(0, 'The service cannot be reached. Check your connection; the page tries again by itself.')
  }
}

async function reasonOf(response: Response): Promise<string> {
  if (response.status === 401) return 'This page has been open for very long. Reload it to go on.'
  if (response.status === 429) {
    return `Too much was asked at once. Wait ${response.headers.get('retry-after') ?? '60'} seconds, then try again.`
  }
  if (response.status >= 500) return 'The service has trouble at the moment. Try again in a minute.'
  const problem = (await response.json().catch(() => null)) as { detail?: string } | null
  return problem?.detail ?? 'The question was not understood. Clear the filters and try again.'
}
