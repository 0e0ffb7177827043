import type { MergedField } from '../../../src/domain/lifecycle.ts'
import { placeText } from '../../shared/format.ts'
import { casualtiesText, occurredText } from '../../shared/incident-text.ts'
import { severityText, typeText } from '../../shared/words.ts'
import type { DeskIncident } from '../api/types.ts'

export interface Difference {
  readonly field: ComparedField
  readonly label: string
  readonly one: string
  readonly other: string
}

/** The fields that a merge lets one choose, in the order in which an editor compares them. */
const COMPARED = {
  type: ['Type', ({ type }: DeskIncident) => typeText(type)],
  occurred_at: ['When', occurredText],
  location: ['Where', whereText],
  casualties: ['Casualties', ({ casualties }: DeskIncident) => casualtiesText(casualties)],
  severity: ['Severity', ({ severity }: DeskIncident) => severityText(severity)],
  summary: ['Summary', ({ summary }: DeskIncident) => summary],
} as const satisfies Record<MergedField, readonly [string, (incident: DeskIncident) => string]>
export type ComparedField = MergedField

export function fieldLabel(field: ComparedField): string {
  return COMPARED[field][0]
}

/** The fields in which two incidents differ, in words. */
export function differencesOf(one: DeskIncident, other: DeskIncident): Difference[] {
  return (Object.keys(COMPARED) as ComparedField[])
    .map((field) => {
      const [label, text] = COMPARED[field]
      return { field, label, one: text(one), other: text(other) }
    })
    .filter((difference) => difference.one !== difference.other)
}

export function whereText(incident: DeskIncident): string {
  const { place } = incident.location
  return place === null || place === incident.lga ? placeText(incident) : `${place}, ${placeText(incident)}`
}
