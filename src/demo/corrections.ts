import type { Casualties, Incident } from '../domain/incident.ts'
import { TRANSITIONS } from '../domain/lifecycle.ts'
import { severityOf } from '../domain/severity.ts'
import { between, pick, type Random } from '../lib/random.ts'
import { TRAITS } from './tables/types.ts'
import { opening } from './text/template.ts'
import { HARMS, type Harm, inWords } from './text/words.ts'
import { isoTime } from './time/iso-time.ts'

const LARGEST_RISE = 3

type Sentence = (number: number, known: boolean) => string

const SENTENCES: Readonly<Record<Harm, Sentence>> = {
  killed: (number, known) => {
    if (known) return `The death toll has since risen to ${inWords(number)}.`
    return number === 1
      ? 'One death has since been confirmed.'
      : `${opening(inWords(number))} deaths have since been confirmed.`
  },
  injured: (number, known) => {
    if (known) return `The number of injured has since risen to ${inWords(number)}.`
    return number === 1
      ? 'One person was later found injured.'
      : `${opening(inWords(number))} people were later found injured.`
  },
  abducted: (number, known) => {
    if (known) return `The number taken has since risen to ${inWords(number)}.`
    return number === 1
      ? 'One person was later found missing.'
      : `${opening(inWords(number))} people were later found missing.`
  },
}

/** The incident's next version, in which one casualty figure has risen; null where none can. */
export function corrected(incident: Incident, now: number, random: Random): Incident | null {
  const { figures } = TRAITS[incident.type]
  const open = HARMS.filter((harm) => (incident.casualties[harm] ?? 0) < (figures[harm]?.most ?? 0))
  if (open.length === 0) return null
  const harm = pick(random, open)
  const { least, most } = figures[harm]!
  const before = incident.casualties[harm] ?? 0
  const number = Math.min(most, Math.max(least, before + between(random, 1, LARGEST_RISE)))
  const casualties: Casualties = { ...incident.casualties, [harm]: number }
  return {
    ...incident,
    casualties,
    severity: severityOf(incident.type, casualties),
    summary: `${firstSentence(incident.summary)} ${SENTENCES[harm](number, before > 0)}`,
    updated_at: isoTime(now),
    version: incident.version + 1,
  }
}

export function retracted(incident: Incident, now: number): Incident {
  return { ...incident, updated_at: isoTime(now), status: TRANSITIONS.retract.to, version: incident.version + 1 }
}

/** Summaries hold no abbreviation: a full stop ends a sentence. */
function firstSentence(summary: string): string {
  return summary.slice(0, summary.indexOf('.') + 1)
}
