import type { TimePrecision } from '../../../src/domain/incident.ts'
import type { IncidentType } from '../../../src/domain/taxonomy.ts'

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
