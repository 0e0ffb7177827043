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
 * Run again and again, so that a crash or a busy database only delays it. `erase` returns false if
 * it leaves the erasing to a later run.
 */
export async function finishRedactions(
  { redactions }: Pick<Store, 'redactions'>,
  now: number,
  erase = () => redactions.erase().then(() => true),
): Promise<void> {
  const waiting = await redactions.unsettled(MAX_REDACTIONS)
  let mustErase = false
  for (const { id, erasedAt } of waiting) {
    let cleared = 0
    for (let last = -1; last !== 0; cleared += last) last = await redactions.clearAnswers(id, BATCH)
    // Stored: if erasing fails now, the next run must know that there is something to erase.
    if (erasedAt !== null && cleared > 0) await redactions.recordErased(id, null, false)
    mustErase ||= erasedAt === null || cleared > 0
  }
  // One rebuild for all of them: it is the expensive part.
  if (mustErase && !(await erase())) return
  for (const { id, at, erasedAt } of waiting) {
    const settled = now - at >= SETTLED_AFTER_MS
    if (mustErase || settled) await redactions.recordErased(id, mustErase ? now : erasedAt!, settled)
  }
}
