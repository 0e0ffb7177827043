import { type Casualties, type Incident, severityOf } from '../domain/incident.ts'
import { TRANSITIONS } from '../domain/lifecycle.ts'
import { pick, type Random, randomInteger } from '../lib/random.ts'
import { TRAITS } from './tables/types.ts'
import { opening } from './text/template.ts'
import { HARMS, type Harm, numberInWords } from './text/words.ts'
import { isoTime } from './time/iso-time.ts'

const MAX_RISE = 3

type Sentence = (number: number, known: boolean) => string

const SENTENCES: Readonly<Record<Harm, Sentence>> = {
  killed: (number, known) => {
    if (known) return `The death toll has since risen to ${numberInWords(number)}.`
    return number === 1
      ? 'One death has since been confirmed.'
      : `${opening(numberInWords(number))} deaths have since been confirmed.`
  },
  injured: (number, known) => {
    if (known) return `The number of injured has since risen to ${numberInWords(number)}.`
    return number === 1
      ? 'One person was later found injured.'
      : `${opening(numberInWords(number))} people were later found injured.`
  },
  abducted: (number, known) => {
    if (known) return `The number taken has since risen to ${numberInWords(number)}.`
    return number === 1
      ? 'One person was later found missing.'
      : `${opening(numberInWords(number))} people were later found missing.`
  },
}

/** The incident's next version with one higher casualty figure; null where no figure can rise. */
export function corrected(incident: Incident, now: number, random: Random): Incident | null {
  const { figures } = TRAITS[incident.type]
  const open = HARMS.filter((harm) => (incident.casualties[harm] ?? 0) < (figures[harm]?.most ?? 0))
  if (open.length === 0) return null
  const harm = pick(random, open)
  const { least, most } = figures[harm]!
  const before = incident.casualties[harm] ?? 0
  const number = Math.min(most, Math.max(least, before + randomInteger(random, 1, MAX_RISE)))
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

/** Summaries contain no abbreviations, so the first full stop ends the first sentence. */
function firstSentence(summary: string): string {
  return summary.slice(0, summary.indexOf('.') + 1)
}
