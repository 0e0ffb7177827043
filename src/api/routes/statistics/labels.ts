import { NO_LGA } from '../../../archive/columns/columns.ts'
import type { Places } from '../../../domain/places.ts'
import {
  CATEGORIES,
  type Category,
  type IncidentType,
  SEVERITY_DESCRIPTIONS,
  type Severity,
  TYPES,
} from '../../../domain/taxonomy.ts'
import type { Group } from '../../../filter/grouping.ts'
import type { Period } from '../../../lib/calendar.ts'
import type { Steps } from '../../../lib/steps.ts'
import { timeText } from '../../../lib/time.ts'

const LABELS_PER_STEP = 100

/** Writes the bucket field of each value: `"severity":{"key":"high","label":"High"},`. */
export function* labelsOf(
  group: Group | undefined,
  values: readonly string[],
  places: Places,
  periods: readonly Period[],
): Steps<string[]> {
  if (group === undefined) return values.map(() => '')
  const label = labeller(group, places, periods)
  const labels: string[] = []
  for (const [number, value] of values.entries()) {
    labels.push(`"${group}":${JSON.stringify(label(value, number))},`)
    if (labels.length % LABELS_PER_STEP === 0) yield
  }
  return labels
}

function labeller(
  group: Group,
  places: Places,
  periods: readonly Period[],
): (value: string, number: number) => object | null {
  switch (group) {
    case 'state': {
      const names = new Map(places.states.map(({ code, name }) => [code, name]))
      return (key) => ({ key, label: names.get(key) ?? key })
    }
    case 'lga': {
      const lgas = new Map(places.lgas.map((lga) => [lga.code, lga]))
      return (key) => {
        if (key === NO_LGA) return null
        const lga = lgas.get(key)
        return { key, label: lga?.name ?? key, state: lga?.state.name ?? key, state_code: lga?.state.code ?? key }
      }
    }
    case 'type':
      return (key) => ({ key, label: TYPES[key as IncidentType].label })
    case 'category':
      return (key) => ({ key, label: CATEGORIES[key as Category].label })
    case 'severity':
      return (key) => ({ key, label: SEVERITY_DESCRIPTIONS[key as Severity].label })
    default: {
      // A period begins where the one before ends, whose text exists already.
      let before = { end: Number.NaN, text: '' }
      return (key, number) => {
        const { start, end } = periods[number]!
        const from = before.end === start ? before.text : timeText(start)
        before = { end, text: timeText(end) }
        return { key, from, to: before.text }
      }
    }
  }
}
