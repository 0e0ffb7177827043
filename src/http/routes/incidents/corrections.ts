import type { HistoryEntry } from '../../../domain/moderation-record.ts'
import { timeText } from '../../../lib/time/time.ts'

/** The public part of a history: when and which fields changed, without names and notes. */
export function publicCorrections(history: readonly HistoryEntry[]) {
  const confirmed = history.findIndex(({ step }) => step === 'confirm')
  // Imported incidents are public from the start and have no `confirm` entry.
  const published = confirmed < 0 ? history : history.slice(confirmed)
  return published
    .filter(({ step }) => step === 'confirm' || step === 'update')
    .map(({ step, version, at, fields }) => ({
      change: step === 'confirm' ? ('published' as const) : ('corrected' as const),
      version,
      at: timeText(at),
      fields,
    }))
}
