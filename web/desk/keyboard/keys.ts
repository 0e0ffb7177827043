import { type ShortcutName, shortcutFor } from './shortcuts.ts'

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
