import type { AssumedSummary } from '../formats/format.ts'

/** The summary of a row, with what it does not say taken from the stored one of the same record. */
export function richerSummary(given: string, stored: string, assumed: AssumedSummary | undefined): string {
  if (assumed === undefined) return given
  if (assumed === 'all') return stored
  const [begin, end] = halves(given, assumed.splitAt)
  const [storedBegin, storedEnd] = halves(stored, assumed.splitAt)
  // Without its end, the stored text is not one that the format composed.
  if (storedEnd === '') return given
  const keepsBegin = assumed.beginIsVague && subjectOf(begin) === subjectOf(storedBegin)
  const keepsEnd = end === '' || withoutDetails(end) === withoutDetails(storedEnd)
  return `${keepsBegin ? storedBegin : begin}${keepsEnd && isLess(end, storedEnd) ? storedEnd : end}`
}

function halves(text: string, splitAt: string): [begin: string, end: string] {
  const at = text.lastIndexOf(splitAt)
  return at < 0 ? [text, ''] : [text.slice(0, at), text.slice(at)]
}

/** Who did what, without the place, which follows a colon. */
function subjectOf(begin: string): string {
  return begin.split(': ')[0]!.replace(/\.$/, '')
}

/** Details stand in brackets before the full stop: the range of an estimate. */
function withoutDetails(end: string): string {
  return end.replace(/(?: \([^()]*\))?\.$/, '')
}

/** A range that differs is a correction; none says less. */
function isLess(end: string, storedEnd: string): boolean {
  return end === '' || (`${withoutDetails(end)}.` === end && end !== storedEnd)
}
