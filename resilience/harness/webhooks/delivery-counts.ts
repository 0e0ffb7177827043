import type { ReceivedMessage } from './received-message.ts'

/** The events that a watch must receive, by their sequence numbers in the log. */
export interface ExpectedEvents {
  readonly watchId: string
  readonly seqs: readonly number[]
  /** Events whose incident was retracted later; their deliveries may be cancelled instead. */
  readonly retractedSeqs: ReadonlySet<number>
  /** The deliveries that the service has cancelled. */
  readonly cancelledSeqs: ReadonlySet<number>
}

export interface DeliveryCounts {
  /** Events that watches must receive. */
  readonly expected: number
  /** Events that an endpoint accepted. */
  readonly delivered: number
  /** Events of incidents that were retracted before an endpoint accepted them. */
  readonly cancelled: number
  /** Messages received again. */
  readonly duplicated: number
  /** Messages sent again although the endpoint had accepted them; only a crash may cause one. */
  readonly repeated: number
  /** Expected events that no endpoint accepted and that were not rightly cancelled. */
  readonly lost: number
  /** Events received by a watch that does not match them. */
  readonly unexpected: number
  /** Messages whose `webhook-id` differs from that of the first attempt. */
  readonly idChanged: number
  /** Messages whose `sequence` has a gap, occurs twice or is not in the order of events. */
  readonly outOfOrder: number
}

const COUNTED = [
  'expected',
  'delivered',
  'cancelled',
  'duplicated',
  'repeated',
  'lost',
  'unexpected',
  'idChanged',
  'outOfOrder',
] as const satisfies readonly (keyof DeliveryCounts)[]

/** Compares the received messages with the expected events. */
export function countDeliveries(
  expected: readonly ExpectedEvents[],
  received: readonly ReceivedMessage[],
): DeliveryCounts {
  const byWatch = Map.groupBy(received, ({ watchId }) => watchId)
  const watches = expected.map((events) => countForWatch(events, byWatch.get(events.watchId) ?? []))
  const sums = COUNTED.map((count) => [count, watches.reduce((sum, watch) => sum + watch[count], 0)])
  return Object.fromEntries(sums) as DeliveryCounts
}

function countForWatch(
  { seqs, retractedSeqs, cancelledSeqs }: ExpectedEvents,
  received: readonly ReceivedMessage[],
): DeliveryCounts {
  const accepted = new Set(received.filter((message) => message.accepted).map(({ seq }) => seq))
  const first = new Map<number, ReceivedMessage>()
  for (const message of received) if (!first.has(message.seq)) first.set(message.seq, message)
  const sequenceOf = new Map(seqs.map((seq, index) => [seq, index + 1]))
  const notAccepted = seqs.filter((seq) => !accepted.has(seq))
  const cancelled = notAccepted.filter((seq) => cancelledSeqs.has(seq) && retractedSeqs.has(seq)).length
  return {
    expected: sequenceOf.size,
    delivered: seqs.length - notAccepted.length,
    cancelled,
    duplicated: received.length - first.size,
    repeated: received.filter(({ accepted: isAccepted }) => isAccepted).length - accepted.size,
    lost: notAccepted.length - cancelled,
    unexpected: [...first.keys()].filter((seq) => !sequenceOf.has(seq)).length,
    idChanged: received.filter(({ headers, seq }) => headers.id !== first.get(seq)!.headers.id).length,
    outOfOrder: received.filter(({ seq, body }) => body.sequence !== sequenceOf.get(seq)).length,
  }
}
