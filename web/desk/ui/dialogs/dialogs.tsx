import type { JSX } from 'preact'
import { useStore } from '../../../shared/store.ts'
import type { DeskIncident } from '../../api/types.ts'
import { decide, decideInBulk } from '../../decisions/decide.ts'
import { type DialogName, dialog } from '../../panels.ts'
import { selection } from '../../queue/selection.ts'
import { currentId } from '../../report/current.ts'
import { useDetails } from '../../report/details.ts'
import { HelpDialog } from './help-dialog.tsx'
import { MergeDialog } from './merge-dialog.tsx'
import { NoteDialog } from './note-dialog.tsx'
import { ReasonDialog } from './reason-dialog.tsx'
import { RedactDialog } from './redact-dialog.tsx'

const REJECTION_REASONS = [
  'Not a security incident',
  'Cannot be verified',
  'Old news, already covered',
  'Not in Nigeria',
  'Rumour or satire',
]
const RETRACTION_REASONS = [
  'It did not happen',
  'The source withdrew it',
  'It puts people at risk',
  'Wrongly confirmed',
]

/** Dialogs about the current report. */
const ABOUT_REPORT: Partial<Record<DialogName, (incident: DeskIncident) => JSX.Element>> = {
  reject: (incident) => (
    <ReasonDialog
      title="Reject this report"
      verb="Reject"
      reasons={REJECTION_REASONS}
      onChoose={(reason) => decide('reject', incident, reason)}
    />
  ),
  retract: (incident) => (
    <ReasonDialog
      title="Retract this incident"
      verb="Retract"
      reasons={RETRACTION_REASONS}
      onChoose={(reason) => decide('retract', incident, reason)}
    />
  ),
  note: (incident) => <NoteDialog incident={incident} />,
  merge: (incident) => <MergeDialog incident={incident} />,
  redact: (incident) => <RedactDialog incident={incident} />,
}

export function Dialogs() {
  const name = useStore(dialog)
  const id = useStore(currentId)
  if (name === null) return null
  if (name === 'help') return <HelpDialog />
  if (name === 'bulk-reject') return <BulkRejection />
  return id === null ? null : <AboutReport key={`${name} ${id}`} name={name} id={id} />
}

function AboutReport({ name, id }: { name: DialogName; id: string }) {
  const { incident } = useDetails(id)
  return incident === null ? null : (ABOUT_REPORT[name]?.(incident) ?? null)
}

function BulkRejection() {
  const ids = [...useStore(selection)]
  return (
    <ReasonDialog
      title={`Reject ${ids.length} ${ids.length === 1 ? 'report' : 'reports'}`}
      verb="Reject"
      reasons={REJECTION_REASONS}
      onChoose={(reason) => decideInBulk('reject', ids, reason)}
    />
  )
}
