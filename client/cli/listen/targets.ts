import { EVENTS } from '../commands/trigger.ts'
import { nearest, UsageError } from '../usage-error.ts'

/** The targets of messages, by event; an event without a target is only shown. */
export interface Targets {
  targetFor(event: string): string | null
  readonly all: readonly string[]
}

/** Reads `--forward-to URL` and `--forward event=URL`. */
export function parseTargets(forAll: string | undefined, byEvent: readonly string[]): Targets {
  const other = forAll === undefined ? null : endpointUrl(forAll)
  const routes = new Map<string, string>()
  for (const text of byEvent) {
    const [, event, url] = /^([^=]+)=(.+)$/s.exec(text) ?? []
    if (event === undefined || url === undefined)
      throw new UsageError(
        `--forward takes event=URL, as --forward incident.updated=localhost:3000/changed, not ${text}`,
      )
    if (!EVENTS.includes(event as never)) {
      const near = nearest(event, EVENTS)
      throw new UsageError(
        `"${event}" is no event; ${near ? `did you mean ${near}?` : `there are ${EVENTS.join(', ')}.`}`,
      )
    }
    if (routes.has(event)) throw new UsageError(`--forward names ${event} twice.`)
    routes.set(event, endpointUrl(url))
  }
  return {
    targetFor: (event) => routes.get(event) ?? other,
    all: [...new Set([...routes.values(), ...(other === null ? [] : [other])])],
  }
}

/** Completes an address as people write it: `3000`, `localhost:3000/hook`. */
export function endpointUrl(text: string): string {
  const written = /^\d+(?=$|\/)/.test(text) ? `localhost:${text}` : text
  try {
    const url = new URL(/^[a-z][a-z\d+.-]*:\/\//i.test(written) ? written : `http://${written}`)
    if (url.protocol === 'http:' || url.protocol === 'https:') return url.href
  } catch {
    // Told below, together with addresses of other kinds.
  }
  throw new UsageError(`"${text}" is no address; write it as localhost:3000/hook`)
}
