import type { EvidenceField, IncidentCandidate, PlaceChoice } from '../../../src/domain/story.ts'
import { TYPES } from '../../../src/domain/taxonomy.ts'
import { ZONE_OFFSETS } from '../../../src/lib/calendar.ts'
import type { FilingForm } from './form.ts'

/** The form as a candidate fills it in; what the story does not say becomes empty. */
export function filledFrom(candidate: IncidentCandidate, story: string, form: FilingForm): FilingForm {
  const { type, casualties, matched, state, precision } = candidate
  const count = (value: number | null): string => (value === null ? '' : String(value))
  return {
    ...form,
    type,
    ...timeFields(candidate),
    ...(matched === null || state === null || precision === null
      ? { place: '', lga: '', state: '' }
      : placeFields({ name: matched.name, lga: candidate.lga, state, precision })),
    killed: count(casualties.killed),
    injured: count(casualties.injured),
    abducted: count(casualties.abducted),
    text: form.text.trim() === '' ? story : form.text,
  }
}

type Named = Pick<PlaceChoice, 'name' | 'lga' | 'state' | 'precision'>

/** The names of a place. */
export function placeFields(place: Named): Pick<FilingForm, 'place' | 'lga' | 'state'> {
  return { place: isArea(place) ? '' : place.name, lga: place.lga ?? '', state: place.state }
}

/** Whether the place is the LGA or the state itself, not a town of its name. */
function isArea({ name, lga, state, precision }: Named): boolean {
  return (precision === 'lga' && name === lga) || (precision === 'state' && name === state)
}

/** Times are those of Nigeria; a day or a wider period has no hour. */
function timeFields({
  occurred_at: occurredAt,
  time_precision: precision,
}: IncidentCandidate): Pick<FilingForm, 'date' | 'time' | 'timePrecision'> {
  if (occurredAt === null || precision === null) return { date: '', time: '', timePrecision: '' }
  if (precision !== 'hour' && precision !== 'exact')
    return { date: occurredAt.slice(0, 10), time: '', timePrecision: precision }
  const local = new Date(Date.parse(occurredAt) + ZONE_OFFSETS['Africa/Lagos']).toISOString()
  return { date: local.slice(0, 10), time: local.slice(11, 16), timePrecision: precision }
}

/** The words that a field was read from, on one line; null where it was not read. */
export function wordsFor(field: EvidenceField, candidate: IncidentCandidate | null): string | null {
  return candidate?.evidence.find((each) => each.field === field)?.text.replaceAll(/\s+/g, ' ') ?? null
}

export function candidateLabel({ type, matched, place_choices: choices, state }: IncidentCandidate): string {
  const name = matched?.name ?? choices[0]?.name
  const where = [...new Set([name, state].filter((each) => each != null))].join(', ')
  return where === '' ? TYPES[type].label : `${TYPES[type].label}, ${where}`
}

export function choiceLabel(choice: PlaceChoice): string {
  const { name, lga, state } = choice
  const names = [isArea(choice) ? null : name, lga === null ? null : `${lga} LGA`, state]
  return names.filter((each) => each !== null).join(', ')
}
