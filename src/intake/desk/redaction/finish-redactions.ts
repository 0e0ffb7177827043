import type { Store } from '../../../store/store.ts'

/**
 * A message that was being sent, or a request that was being answered, at the moment of the
 * redaction has recorded its answer by then.
 */
const SETTLED_AFTER_MS = 120_000
const BATCH = 500
const MAX_REDACTIONS = 50

/**
 * Removes what a redaction leaves behind: answers that repeat the content, and overwritten rows.
 * Run again and again, so that a crash or a busy database only delays it.
 */
export async function finishRedactions({ redactions }: Pick<Store, 'redactions'>, now: number): Promise<void> {
  const waiting = await redactions.unsettled(MAX_REDACTIONS)
  let mustErase = false
  for (const { id, erasedAt } of waiting) {
    let cleared = 0
    for (let last = -1; last !== 0; cleared += last) last = await redactions.clearAnswers(id, BATCH)
    mustErase ||= erasedAt === null || cleared > 0
  }
  // One rebuild for all of them: it is the expensive part.
  if (mustErase) await redactions.erase()
  for (const { id, at, erasedAt } of waiting) {
    const settled = now - at >= SETTLED_AFTER_MS
    if (mustErase || settled) await redactions.recordErased(id, mustErase ? now : erasedAt!, settled)
  }
}
