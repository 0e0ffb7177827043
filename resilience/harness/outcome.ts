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

export interface Outcome {
  readonly owed: number
  readonly delivered: number
  /** Messages that came more than once. */
  readonly repeated: number
  /** Events that a watch was owed and never took. */
  readonly lost: number
  /** Messages for a watch that was not owed them. */
  readonly uncalledFor: number
  /** Repeats under another `webhook-id`. */
  readonly renamed: number
  /** Places in a watch's sequence that are missing, taken twice, or not in the order of events. */
  readonly outOfSequence: number
}

/** Holds what arrived against what was owed. */
export function outcomeOf(dues: readonly Due[], arrivals: readonly Arrival[]): Outcome {
  const watches = dues.map((due) =>
    ofWatch(
      due,
      arrivals.filter(({ watchId }) => watchId === due.watchId),
    ),
  )
  const total = (count: keyof Outcome) => watches.reduce((sum, watch) => sum + watch[count], 0)
  return {
    owed: total('owed'),
    delivered: total('delivered'),
    repeated: total('repeated'),
    lost: total('lost'),
    uncalledFor: total('uncalledFor'),
    renamed: total('renamed'),
    outOfSequence: total('outOfSequence'),
  }
}

function ofWatch({ seqs }: Due, arrivals: readonly Arrival[]): Outcome {
  const taken = new Set(arrivals.filter(({ answered }) => answered).map(({ seq }) => seq))
  const first = new Map<number, Arrival>()
  for (const arrival of arrivals) if (!first.has(arrival.seq)) first.set(arrival.seq, arrival)
  const placeOf = new Map(seqs.map((seq, index) => [seq, index + 1]))
  return {
    owed: placeOf.size,
    delivered: taken.size,
    repeated: arrivals.length - first.size,
    lost: seqs.filter((seq) => !taken.has(seq)).length,
    uncalledFor: [...first.keys()].filter((seq) => !placeOf.has(seq)).length,
    renamed: arrivals.filter(({ id, header, seq }) => id !== header || id !== first.get(seq)!.id).length,
    outOfSequence: arrivals.filter(({ seq, sequence }) => sequence !== placeOf.get(seq)).length,
  }
}
