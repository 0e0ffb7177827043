import { Icon } from '../../../shared/components/icon.tsx'
import { useStore } from '../../../shared/store.ts'
import { closeToast, toasts } from '../../decisions/toasts.ts'

export function Toasts() {
  const shown = useStore(toasts)
  return (
    <div class="toasts" role="log" aria-live="polite" aria-label="What was done">
      {shown.map(({ id, kind, text, action }) => (
        <div key={id} class={`toast ${kind}`}>
          <p>{text}</p>
          {action && (
            <button
              type="button"
              class="button small"
              onClick={() => {
                closeToast(id)
                action.run()
              }}
            >
              {action.label}
              {action.key && <kbd>{action.key}</kbd>}
            </button>
          )}
          <button type="button" class="icon-button small" onClick={() => closeToast(id)}>
            <Icon name="close" />
            <span class="hidden">Close</span>
          </button>
        </div>
      ))}
    </div>
  )
}
