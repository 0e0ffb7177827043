/**
 * How promptly a watch's endpoint answers: not yet known, in time, late, or not at all several
 * times in a row.
 */
export type Responsiveness = 'unproven' | 'prompt' | 'slow' | 'silent'

/** What one attempt showed: an answer in time, a late one, or none. */
export type Observation = 'prompt' | 'late' | 'none'

export interface ResponseRecord {
  readonly state: Responsiveness
  /** Consecutive attempts without an answer. */
  readonly silences: number
  /** Consecutive answers in time since the last trouble. */
  readonly promptAnswers: number
  /** A silent watch gets no attempt before this time. */
  readonly nextProbeAt: number
}

export const UNPROVEN: ResponseRecord = { state: 'unproven', silences: 0, promptAnswers: 0, nextProbeAt: 0 }
export const PROMPT: ResponseRecord = { ...UNPROVEN, state: 'prompt' }
/** A watch whose last attempts failed, as the database remembers it. */
export const FAILING: ResponseRecord = { ...UNPROVEN, state: 'slow' }

/** One broken connection says nothing about an endpoint; this many in a row make it silent. */
const SILENCES_UNTIL_SILENT = 3
/** One answer does not outweigh a silence: an endpoint could answer every second message only. */
const ANSWERS_UNTIL_PROMPT = 3
/** Milliseconds between attempts of a silent watch; the last one repeats. */
const PROBE_DELAYS = [5_000, 10_000, 20_000, 40_000, 60_000]

export function recordAfter(record: ResponseRecord, observed: Observation, now: number): ResponseRecord {
  if (observed === 'prompt') return recordAfterPromptAnswer(record)
  if (observed === 'late') return { ...record, state: 'slow', silences: 0, promptAnswers: 0 }
  const silences = record.silences + 1
  const since = silences - SILENCES_UNTIL_SILENT
  if (since < 0) return { ...record, silences, promptAnswers: 0 }
  const delay = PROBE_DELAYS[Math.min(since, PROBE_DELAYS.length - 1)]!
  return { state: 'silent', silences, promptAnswers: 0, nextProbeAt: now + delay }
}

/** While an attempt takes long, before its end is known. */
export function recordWhileWaiting(record: ResponseRecord): ResponseRecord {
  const isTroubled = record.state === 'slow' || record.state === 'silent'
  return isTroubled ? record : { ...record, state: 'slow', promptAnswers: 0 }
}

function recordAfterPromptAnswer(record: ResponseRecord): ResponseRecord {
  const { state } = record
  const promptAnswers = record.promptAnswers + 1
  if (state === 'unproven' || state === 'prompt' || promptAnswers >= ANSWERS_UNTIL_PROMPT) return PROMPT
  return { state: 'slow', silences: 0, promptAnswers, nextProbeAt: 0 }
}
