import { ConfigError } from '../config/setting-kinds.ts'
import { type EvidenceField, type IncidentCandidate, MAX_STORY_LENGTH, type PlaceChoice } from '../domain/story.ts'
import { CATEGORIES, TYPES } from '../domain/taxonomy.ts'
import { parseTime, timeText } from '../lib/time.ts'
import { extract } from '../reading/extract.ts'
import { parseOptions } from './arguments.ts'
import type { Terminal } from './terminal.ts'

const USAGE = 'incident-feed extract [--title …] [--url …] [--published-at 2026-11-11] [--json] < story.txt'
/** No character has more bytes. */
const MAX_BYTES = MAX_STORY_LENGTH * 4

/** Prints the reports that the story on standard input contains. */
export async function extractCommand(args: readonly string[], terminal: Terminal): Promise<void> {
  const text = { type: 'string' } as const
  const values = parseOptions(args, { title: text, url: text, 'published-at': text, json: { type: 'boolean' } }, USAGE)
  const { title = null, url = null } = values
  const published_at = publicationTime(values['published-at'])
  const candidates = extract({ text: await readStandardInput(terminal), title, url, published_at })
  if (values.json) terminal.print(JSON.stringify({ candidates }, null, 2))
  else if (candidates.length === 0) terminal.print('The story reports no incident.')
  else terminal.print(candidates.map(candidateText).join('\n\n'))
}

function publicationTime(written: string | undefined): string | null {
  if (written === undefined) return null
  const time = parseTime(written)
  if (time === null)
    throw new ConfigError(`--published-at must be an RFC 3339 time or a date, as 2026-11-11\n\n${USAGE}`)
  return timeText(time)
}

async function readStandardInput({ stdin }: Terminal): Promise<string> {
  const chunks: Buffer[] = []
  let bytes = 0
  for await (const chunk of stdin as AsyncIterable<Buffer>) {
    chunks.push(chunk)
    bytes += chunk.length
    if (bytes > MAX_BYTES) break
  }
  const text = Buffer.concat(chunks).toString('utf8')
  if (text.trim() === '') throw new ConfigError(`there is no story on standard input\n\n${USAGE}`)
  if (text.length > MAX_STORY_LENGTH) throw new ConfigError(`the story is longer than ${MAX_STORY_LENGTH} characters`)
  return text
}

/** A candidate for people: a line for each field, with the words that it was read from. */
function candidateText(candidate: IncidentCandidate): string {
  const { type, category, casualties, score, place_choices: choices } = candidate
  const lines = [
    `${TYPES[type].label} (${CATEGORIES[category].label}), score ${score}`,
    line('words', null, evidenceFor('type', candidate)),
    line('place', placeText(candidate), evidenceFor('place', candidate)),
    ...choices.map((choice) => `             ${choice === choices[0] ? 'perhaps' : 'or     '} ${choiceText(choice)}`),
    line('when', occurrenceText(candidate), evidenceFor('occurred_at', candidate)),
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

function occurrenceText({ occurred_at, time_precision }: IncidentCandidate): string {
  if (occurred_at === null) return 'not said'
  return time_precision === 'hour' || time_precision === 'exact'
    ? occurred_at
    : `${occurred_at.slice(0, 10)} (${time_precision})`
}
