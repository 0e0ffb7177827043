import { type IncidentCandidate, MAX_STORY_LENGTH, type Story } from '../domain/story.ts'
import { builtInGazetteer } from '../geo/gazetteer/built-in.ts'
import type { Gazetteer } from '../geo/gazetteer/gazetteer.ts'
import { runToEnd, type Steps } from '../lib/steps.ts'
import { buildCandidate, type StoryText } from './build-candidate.ts'
import { isEventful, MIN_RELEVANCE, passagesOf, type ReadSentence, readSentence, withoutRecaps } from './passages.ts'
import { STRONG } from './relevance/judge.ts'
import { isOtherSection } from './relevance/sections.ts'
import { sentencesOf } from './sentences.ts'
import { readTime } from './time/read-time.ts'

const MAX_CANDIDATES = 10
/** A title about a court, a speech or a match: only a plain report below it counts. */
const PLAIN_REPORT = 0.7

/** The incidents that a story reports; none where it reports none. */
export function extract(story: Story, gazetteer: Gazetteer = builtInGazetteer): IncidentCandidate[] {
  return runToEnd(extractInSteps(story, gazetteer))
}

/**
 * The same, with a pause after each sentence and each candidate: a long story takes tens of
 * milliseconds.
 */
export function* extractInSteps(story: Story, gazetteer: Gazetteer = builtInGazetteer): Steps<IncidentCandidate[]> {
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
