import { categoryOf } from '../domain/taxonomy.ts'
import type { ChosenPlace } from '../geo/finding/choose-place.ts'
import { builtInGazetteer } from '../geo/gazetteer/built-in.ts'
import type { Gazetteer } from '../geo/gazetteer/gazetteer.ts'
import type { Evidence, EvidenceField, IncidentCandidate, Story } from './candidate.ts'
import { settleCasualties } from './casualties/settle.ts'
import { isEventful, MIN_RELEVANCE, type Passage, passagesOf, type ReadSentence, readSentences } from './passages.ts'
import { likelyStates } from './place/likely-states.ts'
import { readPlace } from './place/read-place.ts'
import { STRONG } from './relevance/judge.ts'
import type { Span } from './rule.ts'
import { readTime } from './time/read-time.ts'
import { refineType, settleType } from './types/settle-type.ts'

/** Characters of a story that are read. */
const MAX_LENGTH = 20_000
const MAX_CANDIDATES = 10
/** A title about a court, a speech or a match: only a plain report below it counts. */
const PLAIN_REPORT = 0.7

/** The incidents that a story reports; none where it reports none. */
export function extract(story: Story, gazetteer: Gazetteer = builtInGazetteer): IncidentCandidate[] {
  const title = story.title ?? ''
  const full = (title === '' ? story.text : `${title}\n${story.text}`).slice(0, MAX_LENGTH)
  const sentences = readSentences(full)
  const [first] = sentences
  if (!first || !sentences.some(isEventful)) return []
  if (isOnOtherTopic(sentences)) return []
  const published = story.published_at ? Date.parse(story.published_at) : Number.NaN
  const reader: Reader = {
    full,
    titleLength: title === '' ? 0 : title.length + 1,
    gazetteer,
    published: Number.isNaN(published) ? null : published,
  }
  const candidates: IncidentCandidate[] = []
  for (const passage of passagesOf(sentences)) {
    if (candidates.length < MAX_CANDIDATES && passage.sentences.some(isEventful))
      candidates.push(candidateOf(passage, reader))
  }
  return candidates
}

/** A court, a speech, a match: the first two sentences say what a story is about. */
function isOnOtherTopic([first, second, ...rest]: readonly ReadSentence[]): boolean {
  const isPlain = (each: ReadSentence): boolean =>
    isEventful(each) && (each.classified?.score ?? 0) >= PLAIN_REPORT && readTime(each.text, 0) !== null
  if (first!.judged.score < 0.3) return ![second, ...rest].some((each) => each !== undefined && isPlain(each))
  const secondElsewhere = second?.judged.topics.some((topic) => STRONG.has(topic)) === true
  return secondElsewhere && !rest.some(isEventful) && second.judged.score < MIN_RELEVANCE && !isPlain(first!)
}

interface Reader {
  readonly full: string
  /** Of the title and its line break; 0 without one. */
  readonly titleLength: number
  readonly gazetteer: Gazetteer
  readonly published: number | null
}

function candidateOf({ sentences, start, end }: Passage, reader: Reader): IncidentCandidate {
  const { full, gazetteer, published } = reader
  const eventful = sentences.filter(isEventful)
  const settled = settleType(eventful)!
  const actors = new Set(eventful.flatMap(({ classified }) => [...classified!.actors]))
  const { casualties, from } = settleCasualties(
    eventful.flatMap(({ counts }) => counts),
    isRetold(eventful, full),
  )
  const place = readPlace(full.slice(start, end), gazetteer, likelyStates(actors))
  const time = firstTime(sentences, published)
  const { type, score } = refineType(settled, casualties, place?.state.code ?? null)

  const evidence: Evidence[] = []
  const addEvidence = (field: EvidenceField, span: Span, fieldScore: number): void => {
    evidence.push(evidenceOf(field, span, fieldScore, reader))
  }
  const { evidence: typeSpan } = settled.classified
  addEvidence('type', shift(typeSpan, settled.sentence.start), score)
  if (place && place.matched.end > 0) addEvidence('place', shift(place.matched, start), place.score)
  if (time) addEvidence('occurred_at', time, time.score)
  for (const count of from) addEvidence(count.harm, count, count.score)

  const relevance = Math.max(...eventful.map(({ judged }) => judged.score))
  return {
    type,
    category: categoryOf(type),
    ...placeFields(place),
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
  const { state, lga, lat, lng, precision, radius_km, name, matched, rivals } = place
  return {
    state: state.name,
    lga: precision === 'state' ? null : (lga?.name ?? null),
    lat: Math.round(lat * 1e6) / 1e6,
    lng: Math.round(lng * 1e6) / 1e6,
    precision,
    radius_km,
    matched: {
      name,
      how: matched.how,
      rivals: rivals.map((rival) => `${rival.name}, ${rival.state.name}`).slice(0, 5),
    },
  }
}

/** Headlines with semicolons between them. */
function isRetold(sentences: Passage['sentences'], full: string): boolean {
  return sentences.slice(0, -1).some(({ end }) => full[end - 1] === ';')
}

function firstTime(sentences: Passage['sentences'], published: number | null) {
  // The sentences that report it say when; others speak of arrests and visits.
  for (const sentence of [...sentences.filter(isEventful), ...sentences.slice(0, 3)]) {
    const time = readTime(sentence.text, published)
    if (time) return { ...time, start: time.start + sentence.start, end: time.end + sentence.start }
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
  { full, titleLength }: Reader,
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
