import type { HistoryEntry, HistoryStep } from '../../../domain/lifecycle.ts'
import { timeText } from '../../../lib/time.ts'

type PublicChange = 'published' | 'corrected' | 'restored'

/** The public part of a history: when and which fields changed, without names and notes. */
export function publicCorrections(history: readonly HistoryEntry[]) {
  const confirmed = history.findIndex(({ step }) => step === 'confirm')
  // Imported incidents are public from the start and have no `confirm` entry.
  const published = confirmed < 0 ? history : history.slice(confirmed)
  return published.flatMap(({ step, version, at, fields }) => {
    const change = PUBLIC_STEPS[step]
    return change === undefined ? [] : [{ change, version, at: timeText(at), fields }]
  })
}

/** A merge that brought something, and its undoing, are corrections. */
const PUBLIC_STEPS: Partial<Record<HistoryStep, PublicChange>> = {
  confirm: 'published',
  update: 'corrected',
  absorb: 'corrected',
  unmerge: 'corrected',
  restore: 'restored',
  import: 'corrected',
  undo_import: 'corrected',
}
