import type { Incident, Location, Source } from '../incident.ts'
import type { Tolls } from './casualty-ranges.ts'
import { type NamedPlace, namedPlace } from './place-names.ts'
import { type WeighedWords, weighedWords } from './significant-words.ts'

/** The fields by which two incidents, or a located report and an incident, are compared. */
export interface Comparable
  extends Tolls,
    Pick<Incident, 'type' | 'state' | 'lga' | 'lat' | 'lng' | 'occurred_at' | 'time_precision' | 'summary'> {
  readonly location: Pick<Location, 'place' | 'precision' | 'radius_km'>
  readonly sources: readonly Pick<Source, 'url'>[]
}

/**
 * One side of a comparison. Its words and time are read once: a page of the desk compares each of
 * 200 reports with the same thousands. (A WeakMap from incidents to those made garbage collection
 * stop the process for 0.3 s.)
 */
export class Compared<Of extends Comparable = Comparable> {
  readonly incident: Of
  readonly occurredAt: number
  #place: NamedPlace | null = null
  #words: WeighedWords | null = null

  constructor(incident: Of) {
    this.incident = incident
    this.occurredAt = Date.parse(incident.occurred_at)
  }

  get place(): NamedPlace {
    const { location, summary, state, lga } = this.incident
    this.#place ??= namedPlace(location.place, summary, [state, lga ?? ''])
    return this.#place
  }

  get words(): WeighedWords {
    const { location, summary, state, lga } = this.incident
    this.#words ??= weighedWords(summary, [state, lga ?? '', location.place ?? ''])
    return this.#words
  }
}
