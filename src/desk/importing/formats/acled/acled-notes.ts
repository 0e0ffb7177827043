import type { IncidentType } from '../../../../domain/taxonomy.ts'
import { type ClassifiedText, classifyText } from '../../../../reading/classify-text.ts'
import type { EventClass } from './acled-tables.ts'

export interface NotesReading<Type = IncidentType> {
  readonly type: Type
  /** The number abducted, where the type is an abduction. */
  readonly abducted: number | null
}

interface NoteRule {
  /** `loot`: by the actors, as rows of that kind are. */
  readonly means: IncidentType | 'loot'
  readonly words: RegExp
  readonly example: string
}

/**
 * What only files tell as incidents; news about arrests reports none. The first that fits counts.
 */
export const STRATEGIC_NOTES: readonly NoteRule[] = [
  {
    means: 'military_operation',
    words:
      /\b(?:defus\w+|deactivat\w+|diffus(?:ed?|es)|safely detonat\w+|unexploded|discover(?:ed|s)? (?:\w+ ){0,4}(?:bombs?|ieds?|explosives?)|bombs? (?:\w+ ){0,3}(?:found|discovered))\b/i,
    example: 'Police defuse a bomb planted at a motor park.',
  },
  {
    means: 'military_operation',
    words:
      /\b(?:arrest(?:s|ed|ing)?|detain(?:s|ed|ing)?|apprehend(?:s|ed)?|nab(?:s|bed)|captur(?:es?|ed)|took (?:\w+ ){0,3}into custody|round(?:s|ed)? up|raid(?:s|ed)|intercept(?:s|ed)?|recover(?:s|ed)?|seiz(?:es?|ed)|uncover(?:s|ed)?|confiscat\w+|demolish(?:es|ed)?)\b/i,
    example: 'Soldiers arrested five suspects and recovered rifles.',
  },
  {
    means: 'loot',
    words:
      /\b(?:loot(?:s|ed|ing)?|burn(?:s|t|ed|ing)?|set (?:\w+ ){0,4}(?:ablaze|on fire|alight)|set fire|torch(?:es|ed)?|destroy(?:s|ed)?|destruction|vandali[sz]\w+|ransack\w*|damag(?:es|ed|ing)|steal(?:s|ing)?|stole)\b/i,
    example: 'Unidentified men set ten houses ablaze.',
  },
]

/** They are told of after the fact, or are not what the words after them would make them. */
const NO_INCIDENT =
  /\b(?:agree(?:s|d|ment)|cease-?fire|peace (?:talks|deal|accord|committee)|amnesty|negotiat\w+|disband\w*|merge[sd]?|new faction|splinter|pledge[sd]? allegiance|curfew|deploy(?:s|ed|ment)|redeploy\w*|withdr[ae]w\w*|relocat\w+|threaten\w*|warn(?:s|ed)?|claim(?:s|ed)? responsibility|statement|declar(?:es?|ed)|emergency rule|surrender\w*|recruit\w*|training camp|inaugurat\w+|appoint\w*)\b/i

/** Types that fighting may have which the army did not start. */
const STARTED_BY_OTHERS: ReadonlySet<IncidentType> = new Set([
  'attack_on_security_forces',
  'insurgent_attack',
  'banditry',
  'separatist_violence',
  'farmer_herder_clash',
  'cult_clash',
  'political_violence',
])
const CERTAIN = 0.7
const ABDUCTIONS: ReadonlySet<IncidentType> = new Set(['kidnapping', 'mass_abduction'])

/**
 * Corrects the type that a row's codes give by what its notes say. `firstIsState`: actor1 is of the
 * state.
 */
export function correctByNotes(
  coded: IncidentType,
  eventClass: EventClass,
  notes: string,
  firstIsState: boolean,
): NotesReading {
  const told = classifyText(notes)
  if (coded === 'explosion')
    return { type: firstIsState || told?.actions.has('air strike') ? 'military_operation' : coded, abducted: null }
  const byKind = eventClass === 'attack' || eventClass === 'clash' || eventClass === 'loot'
  if (told && (byKind || coded === 'kidnapping') && ABDUCTIONS.has(told.type)) return abduction(told)
  if (eventClass === 'clash' && coded === 'military_operation')
    return { type: fighting(told, firstIsState), abducted: null }
  return { type: coded, abducted: null }
}

function abduction({ type, casualties }: ClassifiedText): NotesReading {
  return { type, abducted: casualties.abducted }
}

/** Fighting with the army or police: an operation only if they began it. */
function fighting(told: ClassifiedText | null, firstIsState: boolean): IncidentType {
  if (told?.type === 'military_operation' && told.score >= CERTAIN) return 'military_operation'
  const isTold = told !== null && STARTED_BY_OTHERS.has(told.type)
  if (isTold && !firstIsState) return told.type
  // "Soldiers clashed with …" does not say who began; "ambushed soldiers" does.
  if (isTold && told.score >= CERTAIN && told.actions.has('attack')) return told.type
  return firstIsState ? 'military_operation' : 'attack_on_security_forces'
}

/** What the notes of a row without a kind tell; null where they tell of no incident. */
export function judgeNotes(notes: string): NotesReading<IncidentType | 'loot'> | null {
  const told = classifyText(notes)
  if (told && told.score >= CERTAIN)
    return ABDUCTIONS.has(told.type) ? abduction(told) : { type: told.type, abducted: null }
  const fitting = STRATEGIC_NOTES.find(({ words }) => words.test(notes))
  if (fitting && !(NO_INCIDENT.test(notes) && fitting.means !== 'loot')) return { type: fitting.means, abducted: null }
  return told && !NO_INCIDENT.test(notes) ? { type: told.type, abducted: null } : null
}
