import type { TimePrecision } from '../../src/domain/incident.ts'
import type { EvidenceField, IncidentCandidate, PlaceChoice } from '../../src/domain/story.ts'
import { type IncidentType, TYPES } from '../../src/domain/taxonomy.ts'
import { ZONE_OFFSETS } from '../../src/lib/calendar.ts'
import { request } from '../shared/parts/request.ts'
import { createStore } from '../shared/store.ts'

/** The fields as they are written; an empty one is not sent. */
export interface FilingForm {
  readonly type: IncidentType
  readonly date: string
  readonly time: string
  /** As read from a story; empty where the time was written by hand. */
  readonly timePrecision: TimePrecision | ''
  readonly place: string
  readonly lga: string
  readonly state: string
  readonly text: string
  readonly url: string
  readonly publisher: string
  readonly killed: string
  readonly injured: string
  readonly abducted: string
}

export const EMPTY_FORM: FilingForm = {
  type: 'kidnapping',
  date: '',
  time: '',
  timePrecision: '',
  place: '',
  lga: '',
  state: '',
  text: '',
  url: '',
  publisher: '',
  killed: '',
  injured: '',
  abducted: '',
}

/** The form with one field changed by hand. */
export function changedByHand(form: FilingForm, name: keyof FilingForm, value: string): FilingForm {
  const isTime = name === 'date' || name === 'time'
  return { ...form, ...(isTime ? { timePrecision: '' } : {}), [name]: value }
}

/** The body of `POST /v1/reports`. */
export function reportBody(form: FilingForm): object {
  const { type, date, time, timePrecision, text } = form
  const given = Object.fromEntries(
    (['place', 'lga', 'state'] as const).flatMap((name) => (form[name].trim() ? [[name, form[name].trim()]] : [])),
  )
  const figures = (['killed', 'injured', 'abducted'] as const).flatMap((name) =>
    form[name] === '' ? [] : [[name, Number(form[name])]],
  )
  const source = {
    ...(form.url.trim() ? { url: form.url.trim() } : {}),
    ...(form.publisher.trim() ? { publisher: form.publisher.trim() } : {}),
  }
  return {
    type,
    occurred_at: time === '' ? date : `${date}T${time}:00+01:00`,
    ...(timePrecision === '' ? {} : { time_precision: timePrecision }),
    ...given,
    text,
    ...(figures.length === 0 ? {} : { casualties: Object.fromEntries(figures) }),
    ...(Object.keys(source).length === 0 ? {} : { sources: [source] }),
  }
}

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

/** A story of a feed that reports an incident, but no place that is certain. */
export interface UnplacedStory {
  readonly id: string
  readonly publisher: string
  readonly title: string
  readonly url: string | null
  readonly text: string
  readonly published_at: string | null
  readonly found_at: string
  readonly incident_ids: readonly string[]
}

/** The story that the form of a new report is filled in from; null without one. */
export const storyInHand = createStore<UnplacedStory | null>(null)

/** The story's publisher and address, as the source of each report from it. */
export function sourceFields(story: UnplacedStory | null): Partial<FilingForm> {
  return story === null ? {} : { publisher: story.publisher, url: story.url ?? '' }
}

/** Takes the story off the list, with the incidents that were filed from it. */
export function closeStory({ id }: UnplacedStory, incidentIds: readonly string[]): Promise<void> {
  const body = { incident_ids: incidentIds }
  return request('POST', `/v1/desk/unplaced-stories/${encodeURIComponent(id)}/close`, { body })
}
