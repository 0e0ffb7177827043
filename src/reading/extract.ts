import type { Casualties } from '../domain/incident.ts'
import {
  type Evidence,
  type EvidenceField,
  type IncidentCandidate,
  MAX_STORY_LENGTH,
  type PlaceChoice,
  type Story,
} from '../domain/story.ts'
import { categoryOf, type IncidentType } from '../domain/taxonomy.ts'
import { builtInGazetteer } from '../geo/built-in-places.ts'
import type { PlaceCandidate } from '../geo/finding/candidates.ts'
import type { ChosenPlace } from '../geo/finding/find-place.ts'
import type { Gazetteer } from '../geo/gazetteer.ts'
import { runToEnd, type Steps } from '../lib/steps.ts'
import type { Action } from './actors-and-actions.ts'
import { settleCasualties } from './casualties.ts'
import {
  isEventful,
  MIN_RELEVANCE,
  type Passage,
  passagesOf,
  type ReadSentence,
  readSentence,
  refineType,
  settleType,
  withoutRecaps,
} from './passages.ts'
import { likelyStates, readPlace } from './place.ts'
import { isOtherSection, STRONG } from './relevance.ts'
import { type Span, sentencesOf } from './sentences.ts'
import { type ReadTime, readTime } from './time.ts'

const MAX_CANDIDATES = 10
/** A title about a court, a speech or a match: only a plain report below it counts. */
const PLAIN_REPORT = 0.7

/** The incidents that a story reports; none where it reports none. */
export function extract(story: Story, gazetteer: Gazetteer = builtInGazetteer()): IncidentCandidate[] {
  return runToEnd(extractInSteps(story, gazetteer))
}

/**
 * The same, with a pause after each sentence and each candidate: a long story takes tens of
 * milliseconds.
 */
export function* extractInSteps(story: Story, gazetteer: Gazetteer = builtInGazetteer()): Steps<IncidentCandidate[]> {
  if (story.url && isOtherSection(story.url)) return []
  const title = story.title ?? ''
  const full = (title === '' ? story.text : `${title}\n${story.text}`).slice(0, MAX_STORY_LENGTH)
  const read: ReadSentence[] = []
  for (const sentence of sentencesOf(full)) {
    read.push(readSentence(sentence))
    yield
  }
  const sentences = withoutRecaps(read)
  if (!sentences.some(isEventful) || isOnOtherTopic(sentences)) return []
  const published = story.published_at ? Date.parse(story.published_at) : Number.NaN
  const storyText: StoryText = {
    full,
    titleLength: title === '' ? 0 : title.length + 1,
    published: Number.isNaN(published) ? null : published,
  }
  const candidates: IncidentCandidate[] = []
  for (const passage of passagesOf(sentences)) {
    if (candidates.length === MAX_CANDIDATES) break
    if (!passage.sentences.some(isEventful)) continue
    candidates.push(buildCandidate(passage, storyText, gazetteer))
    yield
  }
  return candidates
}

/** A court, a speech, a match: the first two sentences say what a story is about. */
function isOnOtherTopic([first, second, ...rest]: readonly ReadSentence[]): boolean {
  const isPlain = (each: ReadSentence): boolean =>
    isEventful(each) && (each.classified?.score ?? 0) >= PLAIN_REPORT && readTime(each.text, 0) !== null
  if (first!.judged.score < 0.3) return ![second, ...rest].some((each) => each !== undefined && isPlain(each))
  // Headlines with semicolons between them are several texts: the second says nothing about the
  // first.
  if (isEventful(first!) && first!.text.endsWith(';')) return false
  const secondElsewhere = second?.judged.topics.some((topic) => STRONG.has(topic)) === true
  return secondElsewhere && !rest.some(isEventful) && second.judged.score < MIN_RELEVANCE && !isPlain(first!)
}

interface StoryText {
  /** The title, a line break, and the text. */
  readonly full: string
  /** Of the title and its line break; 0 without one. */
  readonly titleLength: number
  readonly published: number | null
}

/** Builds the report of a passage; one of its sentences must be eventful. */
function buildCandidate({ sentences, start, end }: Passage, story: StoryText, gazetteer: Gazetteer): IncidentCandidate {
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

export interface ClassifiedText {
  readonly type: IncidentType
  readonly score: number
  readonly casualties: Casualties
  readonly actions: ReadonlySet<Action>
}

const MAX_LENGTH = 4000

/**
 * The type and casualties of a text about one incident whose place and time are known; null where
 * it tells of none.
 */
export function classifyText(text: string): ClassifiedText | null {
  const eventful = sentencesOf(text.slice(0, MAX_LENGTH)).map(readSentence).filter(isEventful)
  const settled = settleType(eventful)
  if (settled === null) return null
  const counts = eventful.flatMap((sentence) => sentence.counts)
  const { casualties } = settleCasualties(counts, false)
  return {
    ...refineType(settled, casualties, null),
    casualties,
    actions: new Set(eventful.flatMap(({ classified }) => [...classified!.actions])),
  }
}
