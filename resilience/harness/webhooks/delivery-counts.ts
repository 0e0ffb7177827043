/** A message as an endpoint received it. */
export interface ReceivedMessage {
  /** The `webhook-id` header. */
  readonly header: string
  readonly id: string
  readonly watchId: string
  readonly sequence: number
  readonly seq: number
  /** True if the endpoint responded with a 2xx. */
  readonly accepted: boolean
}

/** The events that a watch must receive, by their sequence numbers in the log. */
export interface ExpectedEvents {
  readonly watchId: string
  readonly seqs: readonly number[]
}

export interface DeliveryCounts {
  /** Events that watches must receive. */
  readonly expected: number
  /** Events that an endpoint accepted. */
  readonly delivered: number
  /** Messages received again. */
  readonly duplicated: number
  /** Expected events that no endpoint accepted. */
  readonly lost: number
  /** Events received by a watch that does not match them. */
  readonly unexpected: number
  /** Messages whose `webhook-id` differs from that of the first attempt. */
  readonly idChanged: number
  /** Messages whose `sequence` has a gap, occurs twice or is not in the order of events. */
  readonly outOfOrder: number
}

/** Compares the received messages with the expected events. */
export function countDeliveries(
  expected: readonly ExpectedEvents[],
  received: readonly ReceivedMessage[],
): DeliveryCounts {
  const watches = expected.map((events) =>
    countForWatch(
      events,
      received.filter(({ watchId }) => watchId === events.watchId),
    ),
  )
  const total = (count: keyof DeliveryCounts) => watches.reduce((sum, watch) => sum + watch[count], 0)
  return {
    expected: total('expected'),
    delivered: total('delivered'),
    duplicated: total('duplicated'),
    lost: total('lost'),
    unexpected: total('unexpected'),
    idChanged: total('idChanged'),
    outOfOrder: total('outOfOrder'),
  }
}

function countForWatch({ seqs }: ExpectedEvents, received: readonly ReceivedMessage[]): DeliveryCounts {
  const accepted = new Set(received.filter((message) => message.accepted).map(({ seq }) => seq))
  const first = new Map<number, ReceivedMessage>()
  for (const message of received) if (!first.has(message.seq)) first.set(message.seq, message)
  const sequenceOf = new Map(seqs.map((seq, index) => [seq, index + 1]))
  return {
    expected: sequenceOf.size,
    delivered: accepted.size,
    duplicated: received.length - first.size,
    lost: seqs.filter((seq) => !accepted.has(seq)).length,
    unexpected: [...first.keys()].filter((seq) => !sequenceOf.has(seq)).length,
    idChanged: received.filter(({ id, header, seq }) => id !== header || id !== first.get(seq)!.id).length,
    outOfOrder: received.filter(({ seq, sequence }) => sequence !== sequenceOf.get(seq)).length,
  }
}
