import { isDeepStrictEqual } from 'node:util'
import { Webhook } from 'standardwebhooks'
import type { VersionedEvent } from '../event-log.ts'
import type { IncidentVersions } from '../incident-versions.ts'
import type { ReceivedMessage } from './received-message.ts'

/** A watch as it was created. */
export interface KnownWatch {
  readonly id: string
  readonly name: string
  /** Every secret that may sign its messages. */
  readonly secrets: readonly string[]
}

export interface Truth {
  readonly watches: readonly KnownWatch[]
  readonly events: readonly VersionedEvent[]
  readonly versions: IncidentVersions
}

/** A retracted incident is named, but not described. */
const RETRACTED_MEMBERS = ['id', 'type', 'severity', 'state', 'lga', 'status', 'version']

/** Returns one sentence for each message that is forged or says anything that is not true. */
export function findFalseMessages(received: readonly ReceivedMessage[], truth: Truth): string[] {
  const watches = new Map(truth.watches.map((watch) => [watch.id, watch]))
  const events = new Map(truth.events.map((event) => [event.seq, event]))
  const seqOfId = new Map<string, string>()
  return received.flatMap((message) => {
    const { headers, body } = message
    const about = `${body.event} ${headers.id} (seq ${body.seq})`
    const watch = watches.get(body.watch_id)
    const event = events.get(body.seq)
    if (watch === undefined) return [`${about}: no watch has the id ${body.watch_id}`]
    if (event === undefined) return [`${about}: the log has no such seq`]
    const subject = `${body.watch_id} ${body.seq}`
    const previous = seqOfId.get(headers.id)
    seqOfId.set(headers.id, previous ?? subject)
    const problems = [
      previous === undefined || previous === subject ? null : 'its webhook-id is that of another message',
      headers.id === body.id ? null : `its webhook-id is not its id ${body.id}`,
      findSignatureProblem(message, watch.secrets),
      body.watch === watch.name ? null : `watch is ${JSON.stringify(body.watch)}, not ${JSON.stringify(watch.name)}`,
      body.event === event.event ? null : `the event in the log is ${event.event}`,
      isSameSecond(body.created_at, event.at) ? null : `created_at is ${body.created_at}, not ${event.at}`,
      findContentProblem(message, event, truth.versions),
    ]
    return problems.flatMap((problem) => (problem === null ? [] : [`${about}: ${problem}`]))
  })
}

/**
 * Returns one sentence for each message that was true once, but not when it was sent: an older
 * version, or an incident that had been retracted. A message may be on its way for `inFlightMs`.
 */
export function findOutdatedMessages(
  received: readonly ReceivedMessage[],
  { versions }: Pick<Truth, 'versions'>,
  inFlightMs: number,
): string[] {
  return received.flatMap(({ headers, body, receivedAt }) => {
    const { id, version } = body.incident as { id: string; version: number }
    if (body.event === 'incident.retracted') return []
    const acknowledgedAt = versions.acknowledgedAt(id, version + 1)
    if (acknowledgedAt === null || receivedAt < acknowledgedAt + inFlightMs) return []
    const { status } = versions.find(id, version + 1)!
    const late = Math.round(receivedAt - acknowledgedAt)
    return [`${body.event} ${headers.id}: version ${version + 1} (${status}) was acknowledged ${late} ms before`]
  })
}

/** Verifies with the library that receivers use, not with the code of the service. */
export function findSignatureProblem({ headers, text }: ReceivedMessage, secrets: readonly string[]): string | null {
  const sentAt = new Date(Number(headers.timestamp) * 1000)
  if (Number.isNaN(sentAt.getTime())) return `its webhook-timestamp is ${headers.timestamp}`
  const signatures = headers.signature.split(' ')
  const isSigned = secrets.some((secret) => signatures.includes(new Webhook(secret).sign(headers.id, sentAt, text)))
  return isSigned ? null : 'no signature is valid for its body'
}

function findContentProblem(
  { body }: ReceivedMessage,
  event: VersionedEvent,
  versions: IncidentVersions,
): string | null {
  const { incident } = body
  const id = event.incident_id
  const version = incident.version as number
  const known = versions.find(id, version)
  if (incident.id !== id) return `its incident is ${incident.id}, not ${id}`
  if (known === null) return `no version ${version} of ${id} was acknowledged`
  if (version < event.version) return `it has version ${version}, older than its event, which made ${event.version}`
  if (body.event === 'incident.retracted') return findRetractedProblem(incident, known)
  if (!isDeepStrictEqual(incident, known))
    return `its incident differs from version ${version}: ${differences(incident, known)}`
  return incident.status === 'confirmed' ? null : `its incident is ${incident.status}`
}

function findRetractedProblem(incident: Record<string, unknown>, known: Record<string, unknown>): string | null {
  const members = Object.keys(incident)
  if (!isDeepStrictEqual(members.toSorted(), RETRACTED_MEMBERS.toSorted()))
    return `its incident has ${members.join(', ') || 'no members'}`
  if (incident.status !== 'retracted') return `its incident is ${incident.status}`
  const wrong = members.filter((member) => !isDeepStrictEqual(incident[member], known[member]))
  return wrong.length > 0 ? `its incident differs from the retracted one in ${wrong.join(', ')}` : null
}

/** Messages carry whole seconds, the changes feed milliseconds. */
function isSameSecond(one: string, other: string): boolean {
  return Math.floor(Date.parse(one) / 1000) === Math.floor(Date.parse(other) / 1000)
}

function differences(one: Record<string, unknown>, other: Record<string, unknown>): string {
  const members = new Set([...Object.keys(one), ...Object.keys(other)])
  return [...members].filter((member) => !isDeepStrictEqual(one[member], other[member])).join(', ')
}
