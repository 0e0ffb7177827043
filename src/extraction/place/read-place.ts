import type { State } from '../../domain/places.ts'
import { type ChosenPlace, choosePlace } from '../../geo/finding/choose-place.ts'
import { findPlace } from '../../geo/finding/find-place.ts'
import type { Gazetteer } from '../../geo/gazetteer/gazetteer.ts'

/** News says where in its first sentences. */
const LEAD = 1500
const MAX_LENGTH = 6000

/** The place of what a passage reports: from its lead, or else from all of it. */
export function readPlace(text: string, gazetteer: Gazetteer, likelyStates: readonly State[]): ChosenPlace | null {
  const find = (maxLength: number): ChosenPlace | null =>
    choosePlace(findPlace(text, {}, { gazetteer, maxLength, likelyStates }))
  return find(LEAD) ?? (text.length > LEAD ? find(MAX_LENGTH) : null)
}
