import type { World } from '../command.ts'
import { oneLine } from '../output/plain-text.ts'
import { isForPeople, printJson, write } from '../output/print.ts'
import type { SignedMessage } from './forward.ts'
import type { Attempt } from './forwarder.ts'

/** Tells what became of a message: a line for people, or one JSON object. */
export function reportAttempt(world: World, { message, url, number, outcome, retryInSeconds }: Attempt): Promise<void> {
  const { status, durationMs, error } = outcome
  if (!isForPeople(world))
    return printJson(world, {
      event: error === null ? 'forwarded' : 'failed',
      id: message.id,
      kind: message.kind,
      incident_id: incidentIdOf(message),
      test: message.test,
      resent: message.resent,
      url,
      attempt: number,
      status,
      duration_ms: durationMs,
      error,
      retry_in_seconds: retryInSeconds,
    })
  const next = retryInSeconds === null ? 'given up; r sends it again' : `again in ${retryInSeconds} s`
  const result = error === null ? `${status} in ${durationMs} ms` : `${new URL(url).host} ${error}; ${next}`
  return write(world.stdout, `${headOf(message)}  ${oneLine(result)}\n`)
}

/** Shows a message that goes nowhere. */
export function reportUnsent(world: World, message: SignedMessage): Promise<void> {
  if (isForPeople(world)) return write(world.stdout, `${headOf(message)}  not forwarded\n`)
  const { id, kind, test, resent, headers, body } = message
  return printJson(world, {
    event: 'message',
    id,
    kind,
    incident_id: incidentIdOf(message),
    test,
    resent,
    headers,
    body,
  })
}

/** Null if the body has none. */
export function incidentIdOf({ body }: SignedMessage): string | null {
  const { incident } = JSON.parse(body) as { incident?: { id?: string } }
  return incident?.id ?? null
}

function headOf(message: SignedMessage): string {
  const note = message.test ? ' (test)' : message.resent ? ' (resent)' : ''
  return `${new Date().toTimeString().slice(0, 8)}  ${message.kind}${note}  ${incidentIdOf(message) ?? message.id}`
}
