import type { EvidenceField, IncidentCandidate, PlaceChoice } from '../domain/story.ts'
import { CATEGORIES, TYPES } from '../domain/taxonomy.ts'

/** A candidate for people: a line for each field, with the words that it was read from. */
export function candidateText(candidate: IncidentCandidate): string {
  const { type, category, casualties, score, place_choices: choices } = candidate
  const lines = [
    `${TYPES[type].label} (${CATEGORIES[category].label}), score ${score}`,
    line('words', null, evidenceFor('type', candidate)),
    line('place', placeText(candidate), evidenceFor('place', candidate)),
    ...choices.map((choice) => `             ${choice === choices[0] ? 'perhaps' : 'or     '} ${choiceText(choice)}`),
    line('when', timeText(candidate), evidenceFor('occurred_at', candidate)),
    ...(['killed', 'injured', 'abducted'] as const).map((harm) => {
      const count = casualties[harm]
      return line(harm, count === null ? 'not said' : String(count), evidenceFor(harm, candidate))
    }),
  ]
  return lines.join('\n')
}

function line(name: string, value: string | null, words: string | null): string {
  const quoted = words === null ? [] : [`“${words.replaceAll(/\s+/g, ' ')}”`]
  return `  ${name.padEnd(10)} ${[...(value === null ? [] : [value]), ...quoted].join('  ')}`
}

function evidenceFor(field: EvidenceField, { evidence }: IncidentCandidate): string | null {
  return evidence.find((each) => each.field === field)?.text ?? null
}

function placeText({ state, lga, precision, radius_km, matched, place_choices }: IncidentCandidate): string {
  if (matched !== null && state !== null)
    return `${namesOf(matched.name, lga, state)} (${precision}, within ${radius_km} km)`
  return place_choices.length > 0 ? 'a question' : 'not said'
}

function choiceText({ name, lga, state, precision, radius_km }: PlaceChoice): string {
  return `${namesOf(name, lga, state)} (${precision}, within ${radius_km} km)`
}

/** Names each area once: an LGA often has the name of its town. */
function namesOf(...names: readonly (string | null)[]): string {
  return [...new Set(names.filter((name) => name !== null))].join(', ')
}

function timeText({ occurred_at, time_precision }: IncidentCandidate): string {
  if (occurred_at === null) return 'not said'
  return time_precision === 'hour' || time_precision === 'exact'
    ? occurred_at
    : `${occurred_at.slice(0, 10)} (${time_precision})`
}
