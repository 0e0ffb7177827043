import { Button, CloseButton } from '../shared/parts/controls.tsx'
import { RequestError } from '../shared/parts/request.ts'
import { createStore, useStore } from '../shared/store.ts'

interface Toast {
  readonly id: number
  readonly kind: 'done' | 'failed'
  readonly text: string
  readonly action: { readonly label: string; readonly key?: string; run(): void } | null
}

const SHOWN_MS = 8000
/** A failure stays until it is closed: nobody may miss it. */
const MAX_SHOWN = 4

const toasts = createStore<readonly Toast[]>([])

let lastId = 0

export function showToast(kind: Toast['kind'], text: string, action: Toast['action'] = null): void {
  const id = ++lastId
  // One line for what was done last, beneath the failures.
  const kept = kind === 'done' ? toasts.get().filter((toast) => toast.kind === 'failed') : [...toasts.get()]
  toasts.set([...kept.slice(-MAX_SHOWN + 1), { id, kind, text, action }])
  if (kind === 'done') setTimeout(() => closeToast(id), SHOWN_MS)
}

function closeToast(id: number): void {
  toasts.set(toasts.get().filter((toast) => toast.id !== id))
}

/** Waits for a request and shows why the server refused it; true if it was done. */
export async function showRefusal(work: Promise<unknown>): Promise<boolean> {
  try {
    await work
    return true
  } catch (error) {
    if (!(error instanceof RequestError)) throw error
    showToast('failed', error.message)
    return false
  }
}

export function Toasts() {
  const shown = useStore(toasts)
  return (
    <div class="toasts" role="log" aria-live="polite" aria-label="What was done">
      {shown.map(({ id, kind, text, action }) => (
        <div key={id} class={`toast ${kind}`}>
          <p>{text}</p>
          {action && (
            <Button
              class="button small"
              label={[action.label, action.key && <kbd key="key">{action.key}</kbd>]}
              onClick={() => {
                closeToast(id)
                action.run()
              }}
            />
          )}
          <CloseButton onClick={() => closeToast(id)} />
        </div>
      ))}
    </div>
  )
}
