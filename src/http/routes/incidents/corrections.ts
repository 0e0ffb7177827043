import type { HistoryEntry } from '../../../domain/moderation-record.ts'
import { timeText } from '../../../lib/time/time.ts'

/** What the public may know of an incident's history: that and when it changed, not who changed it or what they noted. */
export function correctionsIn(steps: readonly HistoryEntry[]) {
  const confirmed = steps.findIndex(({ step }) => step === 'confirm')
  // Imported history is public from the start, and has no step that says so.
  const open = confirmed < 0 ? steps : steps.slice(confirmed)
  return open
    .filter(({ step }) => step === 'confirm' || step === 'update')
    .map(({ step, version, at, fields }) => ({
      change: step === 'confirm' ? ('published' as const) : ('corrected' as const),
      version,
      at: timeText(at),
      fields,
    }))
}
