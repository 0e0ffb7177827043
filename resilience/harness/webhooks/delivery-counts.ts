/** A message as an endpoint got it. */
export interface Arrival {
  readonly header: string
  readonly id: string
  readonly watchId: string
  readonly sequence: number
  readonly seq: number
  /** Whether it was answered 2xx. */
  readonly answered: boolean
}

/** A watch, and the events that it is owed. */
export interface Due {
  readonly watchId: string
  readonly seqs: readonly number[]
}

export interface DeliveryCounts {
  readonly expected: number
  readonly delivered: number
  /** Messages that came more than once. */
  readonly duplicated: number
  /** Events that a watch was owed and never took. */
  readonly lost: number
  /** Messages for a watch that was not owed them. */
  readonly unexpected: number
  /** Repeats under another `webhook-id`. */
  readonly idChanged: number
  /** Places in a watch's sequence that are missing, taken twice, or not in the order of events. */
  readonly outOfOrder: number
}

/** Holds what arrived against what was owed. */
export function countDeliveries(dues: readonly Due[], arrivals: readonly Arrival[]): DeliveryCounts {
  const watches = dues.map((due) =>
    ofWatch(
      due,
      arrivals.filter(({ watchId }) => watchId === due.watchId),
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

function ofWatch({ seqs }: Due, arrivals: readonly Arrival[]): DeliveryCounts {
  const taken = new Set(arrivals.filter(({ answered }) => answered).map(({ seq }) => seq))
  const first = new Map<number, Arrival>()
  for (const arrival of arrivals) if (!first.has(arrival.seq)) first.set(arrival.seq, arrival)
  const placeOf = new Map(seqs.map((seq, index) => [seq, index + 1]))
  return {
    expected: placeOf.size,
    delivered: taken.size,
    duplicated: arrivals.length - first.size,
    lost: seqs.filter((seq) => !taken.has(seq)).length,
    unexpected: [...first.keys()].filter((seq) => !placeOf.has(seq)).length,
    idChanged: arrivals.filter(({ id, header, seq }) => id !== header || id !== first.get(seq)!.id).length,
    outOfOrder: arrivals.filter(({ seq, sequence }) => sequence !== placeOf.get(seq)).length,
  }
}
