import { setTimeout as wait } from 'node:timers/promises'
import { until } from '../../test/support/app.ts'
import { findCopyProblems } from './checks/copies.ts'
import { findReadProblems } from './checks/reads.ts'
import { countReports, type ReportCounts } from './checks/reports.ts'
import type { ChangesFollower } from './clients/changes-follower.ts'
import type { Client } from './clients/client.ts'
import { ReconnectingStream } from './clients/reconnecting-stream.ts'
import { readEvents, type VersionedEvent } from './event-log.ts'
import type { IncidentVersions } from './incident-versions.ts'
import type { Operators } from './operators.ts'
import type { Service } from './service.ts'
import { findFalseMessages, findOutdatedMessages } from './webhooks/check-messages.ts'
import { countDeliveries, type DeliveryCounts } from './webhooks/delivery-counts.ts'
import type { ReceivedMessage } from './webhooks/received-message.ts'
import { expectedEventsOf, type Watch } from './webhooks/watches.ts'

/** Counts of the harness besides the deliveries and the reports. */
interface OtherCounts {
  /** Events in the log by kind. */
  readonly confirmed: number
  readonly corrected: number
  readonly retracted: number
  /** Acknowledged changes that are not in the log, and gaps in its sequence numbers. */
  readonly missingFromLog: number
  /** Messages that are forged or differ from what was acknowledged. */
  readonly falseMessages: number
  /** Messages that were no longer true when they were sent. */
  readonly outdated: number
  /**
   * Deliveries that stay pending, and differences between the log and the stream, the changes,
   * lists, incidents and statistics.
   */
  readonly wrongReads: number
  /** Some sentences about what was false, outdated or wrong. */
  readonly examples: readonly string[]
}

export interface Counts extends DeliveryCounts, ReportCounts, OtherCounts {}

export interface FinishedRun {
  readonly client: Client
  readonly services: readonly Service[]
  readonly operators: Operators
  readonly versions: IncidentVersions
  readonly watches: readonly Watch[]
  readonly stream: ReconnectingStream
  readonly changes: ChangesFollower
  readonly received: () => readonly ReceivedMessage[]
  readonly deliveryTimeoutMs: number
  readonly inFlightMs: number
}

const MAX_EXAMPLES = 6

/** Waits until everything has arrived, and compares it with what was acknowledged. */
export async function finalCounts(run: FinishedRun): Promise<Counts> {
  const { client, versions, operators, watches } = run
  const events = await readWholeLog(run)
  const expectedCount = (watch: Watch) => expectedEventsOf(watch, events, versions, new Set()).seqs.length
  const stuck = await waitForDeliveries(run, expectedCount)
  const expected = []
  for (const watch of watches)
    expected.push(expectedEventsOf(watch, events, versions, await readCancelled(client, watch.id)))
  const received = run.received()
  const falseMessages = findFalseMessages(received, { watches, events, versions })
  const outdated = findOutdatedMessages(received, { versions }, run.inFlightMs)
  const wrongReads = [...stuck, ...(await findWrongReads(run, events))]
  const ofKind = (kind: string) => events.filter(({ event }) => event === kind).length
  return {
    confirmed: ofKind('incident.created'),
    corrected: ofKind('incident.updated'),
    retracted: ofKind('incident.retracted'),
    missingFromLog: countMissing(events, versions),
    ...(await countReports(client, operators.reported)),
    ...countDeliveries(expected, received),
    falseMessages: falseMessages.length,
    outdated: outdated.length,
    wrongReads: wrongReads.length,
    examples: [falseMessages, outdated, wrongReads].flatMap((all) => all.slice(0, MAX_EXAMPLES)),
  }
}

/** One node may be slightly behind another, so a log that lacks something is read again. */
async function readWholeLog({ client, versions }: FinishedRun): Promise<VersionedEvent[]> {
  let events = await readEvents(client)
  for (let retries = 0; retries < 20 && countMissing(events, versions) > 0; retries++) {
    await wait(250)
    events = await readEvents(client)
  }
  return events
}

/** Acknowledged versions without event, and events whose `seq` does not follow the one before. */
function countMissing(events: readonly VersionedEvent[], versions: IncidentVersions): number {
  const inLog = new Set(events.map(({ incident_id, version }) => `${incident_id} ${version}`))
  const missing = versions.all().filter(({ id, version }) => !inLog.has(`${id} ${version}`)).length
  return missing + events.filter(({ seq }, index) => index > 0 && seq !== events[index - 1]!.seq + 1).length
}

async function findWrongReads(run: FinishedRun, events: readonly VersionedEvent[]): Promise<string[]> {
  const { client, services, versions, stream, changes } = run
  const head = events.at(-1)?.seq ?? 0
  const problems: string[] = []
  await using replay = new ReconnectingStream(client.key, () => services[0]!.url, stream.after)
  problems.push(...findCopyProblems('the changes at the end', events, events, versions, 'at the end'))
  for (const [name, copy, readingTime] of [
    ['the stream', stream, 'meanwhile'],
    ['the changes', changes, 'meanwhile'],
    ['a stream that starts over', replay, 'at the end'],
  ] as const) {
    // After the timeout the comparison says what is missing.
    await until(() => (copy.changes.at(-1)?.seq ?? 0) >= head, name).catch(() => {})
    const followed = events.filter(({ seq }) => seq > copy.after)
    problems.push(...findCopyProblems(name, copy.changes, followed, versions, readingTime))
  }
  for (const service of services)
    problems.push(
      ...(await findReadProblems(
        client.withUrl(() => service.url),
        head,
        versions,
      )),
    )
  return problems
}

/**
 * Waits until every watch has its expected deliveries and none is pending. At the timeout it
 * returns a sentence about the first that has not: an endpoint may have accepted what the service
 * still holds as pending.
 */
async function waitForDeliveries(
  { client, watches, deliveryTimeoutMs }: FinishedRun,
  expectedCount: (watch: Watch) => number,
): Promise<string[]> {
  const deadline = performance.now() + deliveryTimeoutMs
  for (const watch of watches) {
    const expected = expectedCount(watch)
    for (;;) {
      const path = `/v1/watches/${watch.id}`
      const { sequence } = (await client.requestUntilAnswered('GET', path)).body
      const pending = (await client.requestUntilAnswered('GET', `${path}/deliveries?status=pending`)).body
      if ((sequence as number) >= expected && (pending.data as object[]).length === 0) break
      const left = (pending.data as object[]).length
      if (performance.now() > deadline) return [`${watch.name}: ${left} or more deliveries stay pending`]
      await wait(200)
    }
  }
  return []
}

/** The events whose deliveries the service has cancelled, because the incident was retracted. */
export async function readCancelled(client: Client, watchId: string): Promise<ReadonlySet<number>> {
  const seqs = new Set<number>()
  for (let cursor: string | null = ''; cursor !== null; ) {
    const query = `status=cancelled&limit=100${cursor === '' ? '' : `&cursor=${encodeURIComponent(cursor)}`}`
    const { status, body } = await client.requestUntilAnswered('GET', `/v1/watches/${watchId}/deliveries?${query}`)
    if (status !== 200) return seqs
    for (const { seq } of body.data as { seq: number }[]) seqs.add(seq)
    cursor = body.next_cursor as string | null
  }
  return seqs
}
