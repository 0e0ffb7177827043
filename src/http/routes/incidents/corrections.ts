import type { HistoryEntry } from '../../../domain/moderation-record.ts'
import { timeText } from '../../../lib/time/time.ts'

/**
 * Keeps the public part of an incident's history: when and which fields changed, not who changed
 * them or their notes.
 */
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
