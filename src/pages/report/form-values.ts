import { type Challenge, isSolved } from '../../desk/tips/challenges.ts'
import type { TipContent } from '../../desk/tips/receive-tip.ts'
import type { FieldError } from '../../domain/errors.ts'
import { singleLine } from '../../domain/summary.ts'
import { TYPE_NAMES } from '../../domain/taxonomy.ts'
import { MAX_TIP_LENGTH } from '../../domain/tips.ts'
import type { Translate } from '../../i18n/translate.ts'
import { ZONE_OFFSETS } from '../../lib/calendar.ts'

/** The fields of the forms, by their names. */
export const FIELDS = [
  'text',
  'type',
  'place',
  'choice',
  'state',
  'lat',
  'lng',
  'day',
  'time',
  'contact',
  'website',
  'challenge',
  'solutions',
  'reference',
] as const
export type Field = (typeof FIELDS)[number]
export type FormValues = Readonly<Record<Field, string>>

/** More than a proof has; the rest is not read. */
const MAX_SOLUTIONS = 20

/** The choice of whoever means none of the places that were offered. */
export const NO_CHOICE = 'none'

export function readForm(form: URLSearchParams | undefined): FormValues {
  const value = (name: Field) => [name, (form?.get(name) ?? '').replaceAll('\r\n', '\n').trim()] as const
  return Object.fromEntries(FIELDS.map(value)) as FormValues
}

/** The form as it is opened: today. */
export function emptyForm(now: number): FormValues {
  return { ...readForm(undefined), day: dayInNigeria(now) }
}

export function dayInNigeria(now: number): string {
  return new Date(now + ZONE_OFFSETS['Africa/Lagos']).toISOString().slice(0, 10)
}

/** The form as content for `receiveTip`, which finds its faults. */
export function tipOf(values: FormValues): TipContent {
  const { text, type, choice, state, lat, lng, day, time, contact } = values
  const isChosen = choice !== '' && choice !== NO_CHOICE
  return {
    text,
    type: TYPE_NAMES.find((known) => known === type) ?? null,
    occurred_at: time === '' ? day : `${day}T${time}:00+01:00`,
    ...(isChosen ? chosenPlace(choice) : { place: line(values.place), state: line(state), lga: null }),
    lat: degrees(lat),
    lng: degrees(lng),
    areaOnly: choice === NO_CHOICE,
    contact: line(contact),
  }
}

/** A choice is offered as `name, state` or `name, LGA, state`. */
function chosenPlace(choice: string): Pick<TipContent, 'place' | 'lga' | 'state'> {
  const [place = '', ...areas] = choice.split(', ')
  return { place: line(place), lga: line(areas.slice(0, -1).join(', ')), state: line(areas.at(-1) ?? '') }
}

/** Whether the browser has done the work for its form. */
export function hasProof({ solutions }: FormValues, challenge: Challenge): boolean {
  return isSolved(challenge, solutions.split(',', MAX_SOLUTIONS).map(Number))
}

export function line(text: string): string | null {
  return singleLine(text) || null
}

function degrees(text: string): number | null {
  return /^-?\d{1,3}(\.\d{1,9})?$/.test(text) ? Number(text) : null
}

/** A fault of a form: a sentence, the field that it is about, and places to choose from. */
export interface Fault {
  readonly field: Field | null
  readonly message: string
  readonly choices?: readonly string[]
}

const FIELD_OF_POINTER: Readonly<Record<string, Field>> = {
  '/text': 'text',
  '/type': 'type',
  '/place': 'place',
  '/state': 'state',
  '/lga': 'state',
  '/lat': 'lat',
  '/lng': 'lat',
  '/occurred_at': 'day',
}

/** Puts the errors of a tip into the reader's language. */
export function faultsOf(errors: readonly FieldError[], values: FormValues, t: Translate): Fault[] {
  return errors.map(({ pointer = '', did_you_mean: choices }) => {
    const field = FIELD_OF_POINTER[pointer] ?? null
    return { field, message: messageFor(field, values, choices, t), ...(choices ? { choices } : {}) }
  })
}

function messageFor(
  field: Field | null,
  { place }: FormValues,
  choices: readonly string[] | undefined,
  t: Translate,
): string {
  if (field === 'text') return t('report.error_text', { count: MAX_TIP_LENGTH })
  if (field === 'type') return t('report.error_type')
  if (field === 'state') return t('report.error_state')
  if (field === 'lat') return t('report.error_point')
  if (field === 'day') return t('report.error_time')
  if (choices) return t('report.error_place_which')
  return place === '' ? t('report.error_place') : t('report.error_place_unknown')
}
