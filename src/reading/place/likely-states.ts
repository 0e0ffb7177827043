import type { State } from '../../domain/places.ts'
import { places } from '../../geo/places.ts'
import type { Actor } from '../types/actors.ts'

/** Where a group is active: decides between namesakes, never a place by itself. */
const ACTIVE_IN: Partial<Record<Actor, string>> = {
  insurgents: 'BO YO AD',
}

const byCode = new Map(places.states.map((state) => [state.code, state]))

export function likelyStates(actors: Iterable<Actor>): State[] {
  return [...actors].flatMap((actor) =>
    (ACTIVE_IN[actor] ?? '').split(' ').flatMap((code) => byCode.get(`NG-${code}`) ?? []),
  )
}
