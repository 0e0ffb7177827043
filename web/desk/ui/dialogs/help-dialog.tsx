import { SHORTCUTS } from '../../keyboard/shortcuts.ts'
import { Dialog } from './dialog.tsx'

export function HelpDialog() {
  return (
    <Dialog title="Keys">
      <dl class="keys">
        {Object.values(SHORTCUTS).map(({ key, text }) => (
          <div key={key}>
            <dt>
              <kbd>{key}</kbd>
            </dt>
            <dd>{text}</dd>
          </div>
        ))}
      </dl>
      <p class="quiet">Keys work everywhere but in fields, and never together with Ctrl, Alt or Cmd.</p>
    </Dialog>
  )
}
