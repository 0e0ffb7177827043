import { createStore } from '../../shared/store.ts'

export interface Toast {
  readonly id: number
  readonly kind: 'done' | 'failed'
  readonly text: string
  readonly action: { readonly label: string; readonly key?: string; run(): void } | null
}

const SHOWN_MS = 8000
/** A failure stays until it is closed: nobody may miss it. */
const MAX_SHOWN = 4

export const toasts = createStore<readonly Toast[]>([])

let lastId = 0

export function showToast(kind: Toast['kind'], text: string, action: Toast['action'] = null): number {
  const id = ++lastId
  const done = toasts.get().filter((toast) => toast.kind === 'done')
  // One line for what was done last, beneath the failures.
  const kept = kind === 'done' ? toasts.get().filter((toast) => toast.kind === 'failed') : [...toasts.get()]
  toasts.set([...kept.slice(-MAX_SHOWN + 1), { id, kind, text, action }])
  if (kind === 'done') setTimeout(() => closeToast(id), SHOWN_MS)
  else if (done.length > MAX_SHOWN) closeToast(done[0]!.id)
  return id
}

export function closeToast(id: number): void {
  toasts.set(toasts.get().filter((toast) => toast.id !== id))
}
