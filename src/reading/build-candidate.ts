import type { Evidence, EvidenceField, IncidentCandidate, PlaceChoice } from '../domain/story.ts'
import { categoryOf } from '../domain/taxonomy.ts'
import type { ChosenPlace } from '../geo/finding/choose-place.ts'
import type { PlaceCandidate } from '../geo/finding/place-candidate.ts'
import type { Gazetteer } from '../geo/gazetteer/gazetteer.ts'
import { settleCasualties } from './casualties/settle.ts'
import { isEventful, type Passage } from './passages.ts'
import { likelyStates } from './place/likely-states.ts'
import { readPlace } from './place/read-place.ts'
import type { Span } from './rule.ts'
import { type ReadTime, readTime } from './time/read-time.ts'
import { refineType, settleType } from './types/settle-type.ts'

export interface StoryText {
  /** The title, a line break, and the text. */
  readonly full: string
  /** Of the title and its line break; 0 without one. */
  readonly titleLength: number
  readonly published: number | null
}

/** What a passage reports; one of its sentences must be eventful. */
export function buildCandidate(
  { sentences, start, end }: Passage,
  story: StoryText,
  gazetteer: Gazetteer,
): IncidentCandidate {
  const eventful = sentences.filter(isEventful)
  const settled = settleType(eventful)!
  const actors = new Set(eventful.flatMap(({ classified }) => [...classified!.actors]))
  const { casualties, from } = settleCasualties(
    eventful.flatMap(({ counts }) => counts),
    isRetold(eventful, story.full),
  )
  const { place, choices } = readPlace(story.full.slice(start, end), gazetteer, likelyStates(actors))
  const time = firstTime(sentences, story.published)
  const { type, score } = refineType(settled, casualties, place?.state.code ?? null)

  const evidence: Evidence[] = []
  const addEvidence = (field: EvidenceField, span: Span, fieldScore: number): void => {
    evidence.push(evidenceOf(field, span, fieldScore, story))
  }
  addEvidence('type', shift(settled.classified.evidence, settled.sentence.start), score)
  const named = place ?? choices[0]
  if (named && named.matched.end > 0) addEvidence('place', shift(named.matched, start), named.score)
  if (time) addEvidence('occurred_at', time, time.score)
  for (const count of from) addEvidence(count.harm, count, count.score)

  const relevance = Math.max(...eventful.map(({ judged }) => judged.score))
  return {
    type,
    category: categoryOf(type),
    ...placeFields(place),
    place_choices: choices.map(choiceOf),
    occurred_at: time?.occurred_at ?? null,
    time_precision: time?.time_precision ?? null,
    casualties,
    score: Math.round((relevance * 0.4 + score * 0.35 + (place?.score ?? 0) * 0.25) * 100) / 100,
    evidence,
  }
}

function placeFields(place: ChosenPlace | null) {
  if (!place)
    return { state: null, lga: null, lat: null, lng: null, precision: null, radius_km: null, matched: null } as const
  const { name, how, ...fields } = choiceOf(place)
  return { ...fields, matched: { name, how } }
}

function choiceOf({ state, lga, lat, lng, precision, radius_km, name, matched }: PlaceCandidate): PlaceChoice {
  return {
    state: state.name,
    lga: precision === 'state' ? null : (lga?.name ?? null),
    lat: Math.round(lat * 1e6) / 1e6,
    lng: Math.round(lng * 1e6) / 1e6,
    precision,
    radius_km,
    name,
    how: matched.how,
  }
}

/** Headlines with semicolons between them. */
function isRetold(sentences: Passage['sentences'], full: string): boolean {
  return sentences.slice(0, -1).some(({ end }) => full[end - 1] === ';')
}

function firstTime(sentences: Passage['sentences'], published: number | null): ReadTime | null {
  // The sentences that report it say when; others speak of arrests and visits.
  for (const sentence of [...sentences.filter(isEventful), ...sentences.slice(0, 3)]) {
    const time = readTime(sentence.text, published)
    if (time) return { ...time, ...shift(time, sentence.start) }
  }
  return null
}

function shift({ start, end }: Span, by: number): Span {
  return { start: start + by, end: end + by }
}

function evidenceOf(
  field: EvidenceField,
  { start, end }: Span,
  score: number,
  { full, titleLength }: StoryText,
): Evidence {
  const inTitle = end <= titleLength
  const offset = inTitle ? 0 : titleLength
  return {
    field,
    source: inTitle ? 'title' : 'text',
    start: start - offset,
    end: end - offset,
    text: full.slice(start, end),
    score: Math.round(score * 100) / 100,
  }
}
