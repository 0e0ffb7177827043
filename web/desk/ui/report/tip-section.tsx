import { useEffect, useState } from 'preact/hooks'
import { dayText, momentText } from '../../../shared/format.ts'
import { RequestError } from '../../../shared/parts/request.ts'
import { readTips } from '../../api/desk-api.ts'
import type { DeskIncident, Tip } from '../../api/types.ts'

/** How to reach whoever sent the report, or those merged into it. Read only when it is opened. */
export function TipSection({ incident }: { incident: DeskIncident }) {
  const { desk } = incident
  const [tips, setTips] = useState<readonly Tip[] | string | null>(null)
  const mayHaveTips = desk.origin === 'tip' || (desk.merged_from ?? []).length > 0
  // With every change of the report: its contact may be gone, or something was added.
  useEffect(() => {
    if (!mayHaveTips) return
    let isCurrent = true
    readTips(incident.id).then(
      (read) => isCurrent && setTips(read),
      (error: unknown) => {
        if (!(error instanceof RequestError)) throw error
        if (isCurrent) setTips(error.message)
      },
    )
    return () => {
      isCurrent = false
    }
  }, [incident, mayHaveTips])
  if (!mayHaveTips || (Array.isArray(tips) && tips.length === 0 && desk.origin !== 'tip')) return null
  return (
    <section class="tip-section">
      <h2>From the public</h2>
      {tips === null && <p class="quiet">The contact is being loaded.</p>}
      {typeof tips === 'string' && <p>{tips}</p>}
      {Array.isArray(tips) && tips.length === 0 && (
        <p class="quiet">The contact and the reference number of this tip have been deleted.</p>
      )}
      {Array.isArray(tips) && tips.map((tip) => <TipLine key={tip.incident_id} tip={tip} />)}
    </section>
  )
}

function TipLine({ tip: { received_at, contact, kept_until, additions } }: { tip: Tip }) {
  return (
    <p>
      {contact === null ? 'No contact was given, or it was erased.' : <strong>{contact}</strong>}{' '}
      <span class="quiet">
        Sent {momentText(received_at)}; additions: {additions} (see the notes). Kept until {dayText(kept_until)}. For
        the desk only: never repeat it in a summary or a note.
      </span>
    </p>
  )
}
