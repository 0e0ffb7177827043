import type { Casualties } from '../../../../src/domain/incident.ts'

/** A number of incidents and what is known of their casualties; null if no figure is known. */
export interface Figures extends Casualties {
  readonly count: number
}

export const NO_INCIDENTS: Figures = { count: 0, killed: null, injured: null, abducted: null }

export function addFigures(one: Figures, other: Figures): Figures {
  return {
    count: one.count + other.count,
    killed: addKnown(one.killed, other.killed),
    injured: addKnown(one.injured, other.injured),
    abducted: addKnown(one.abducted, other.abducted),
  }
}

export function sumOf(all: readonly Figures[]): Figures {
  return all.reduce(addFigures, NO_INCIDENTS)
}

function addKnown(one: number | null, other: number | null): number | null {
  return one === null ? other : one + (other ?? 0)
}
