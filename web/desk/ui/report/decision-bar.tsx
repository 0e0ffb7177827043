import { runShortcut } from '../../actions.ts'
import type { DeskIncident } from '../../api/types.ts'
import { decide } from '../../decisions/decide.ts'
import { allows } from '../../decisions/moves.ts'
import { SHORTCUTS, type ShortcutName } from '../../keyboard/shortcuts.ts'
import { dialog } from '../../panels.ts'

/** The decisions that the report's status allows, each with its key. */
export function DecisionBar({ incident }: { incident: DeskIncident }) {
  const { status } = incident
  const isEditable = status === 'reported' || status === 'confirmed'
  return (
    <div class="decisions" role="toolbar" aria-label="Decide on this report">
      {allows('confirm', status) && <Key name="confirm" label="Confirm" primary />}
      {allows('reject', status) && <Key name="reject" label="Reject" />}
      {allows('retract', status) && (
        <button type="button" class="button" onClick={() => dialog.set('retract')}>
          Retract <kbd>r</kbd>
        </button>
      )}
      {allows('reopen', status) && (
        <button type="button" class="button primary" onClick={() => decide('reopen', incident)}>
          Reopen
        </button>
      )}
      {allows('restore', status) && (
        <button type="button" class="button primary" onClick={() => decide('restore', incident)}>
          Restore
        </button>
      )}
      {allows('unmerge', status) && (
        <button type="button" class="button primary" onClick={() => decide('unmerge', incident)}>
          Unmerge
        </button>
      )}
      {allows('merge', status) && <Key name="merge" label="Merge" />}
      <span class="divider" />
      {isEditable && <Key name="edit" label="Edit" />}
      <Key name="note" label="Note" />
      <Key name="redact" label="Redact" />
      <span class="grow" />
      <Key name="undo" label="Undo" />
    </div>
  )
}

function Key({ name, label, primary = false }: { name: ShortcutName; label: string; primary?: boolean }) {
  return (
    <button
      type="button"
      class={`button ${primary ? 'primary' : ''}`}
      title={SHORTCUTS[name].text}
      onClick={() => runShortcut(name)}
    >
      {label} <kbd>{SHORTCUTS[name].key}</kbd>
    </button>
  )
}
