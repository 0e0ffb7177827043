/** Every key of the desk, in the order of the help. */
export const SHORTCUTS = {
  next: { key: 'j', text: 'Next report, or pair' },
  previous: { key: 'k', text: 'Previous report, or pair' },
  confirm: { key: 'c', text: 'Confirm and go to the next' },
  reject: { key: 'r', text: 'Reject, with a reason; of a pair: not the same' },
  merge: { key: 'm', text: 'Merge into a duplicate' },
  edit: { key: 'e', text: 'Edit the facts' },
  place: { key: 'p', text: 'Move the point on the map' },
  note: { key: 'n', text: 'Write a note' },
  redact: { key: 'd', text: 'Redact: take content out of every copy' },
  undo: { key: 'u', text: 'Undo the last decision' },
  select: { key: 'x', text: 'Select for a bulk decision' },
  search: { key: '/', text: 'Search the queue' },
  help: { key: '?', text: 'Show these keys' },
} as const satisfies Record<string, { readonly key: string; readonly text: string }>
export type ShortcutName = keyof typeof SHORTCUTS

const BY_KEY: ReadonlyMap<string, ShortcutName> = new Map(
  (Object.keys(SHORTCUTS) as ShortcutName[]).map((name) => [SHORTCUTS[name].key, name]),
)

interface KeyPress {
  readonly key: string
  readonly ctrlKey: boolean
  readonly metaKey: boolean
  readonly altKey: boolean
  readonly shiftKey: boolean
  readonly repeat: boolean
}

/** Keys that may be held down. */
const REPEATABLE: readonly ShortcutName[] = ['next', 'previous']

/** The shortcut of a key press; null for all others, and for those with a modifier. */
export function shortcutFor(press: KeyPress): ShortcutName | null {
  if (press.ctrlKey || press.metaKey || press.altKey) return null
  const name = BY_KEY.get(press.key) ?? null
  if (name === null || (press.shiftKey && name !== 'help' && name !== 'search')) return null
  return press.repeat && !REPEATABLE.includes(name) ? null : name
}

/** Runs shortcuts until the returned function is called. */
export function listenForKeys(run: (name: ShortcutName) => void): () => void {
  const listen = (event: KeyboardEvent) => {
    if (event.defaultPrevented || event.isComposing || isField(event.target) || isDialogOpen()) return
    const name = shortcutFor(event)
    if (name === null) return
    event.preventDefault()
    run(name)
  }
  addEventListener('keydown', listen)
  return () => removeEventListener('keydown', listen)
}

/** A check box takes no letters: keys keep working after a row was selected with the mouse. */
function isField(target: EventTarget | null): boolean {
  if (!(target instanceof HTMLElement)) return false
  if (target instanceof HTMLInputElement) return target.type !== 'checkbox' && target.type !== 'radio'
  return target.isContentEditable || target.matches('textarea, select, [data-own-keys]')
}

function isDialogOpen(): boolean {
  return document.querySelector('dialog[open]') !== null
}
