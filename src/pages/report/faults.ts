import type { FieldError } from '../../domain/errors.ts'
import { MAX_TIP_LENGTH } from '../../domain/tips.ts'
import type { Translate } from '../../i18n/translate.ts'
import type { Field, FormValues } from './form-values.ts'

/** What is wrong with a form: a sentence, the field that it is about, and places to choose from. */
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
