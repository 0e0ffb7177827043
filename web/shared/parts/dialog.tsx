import type { ComponentChildren } from 'preact'
import { useLayoutEffect, useRef } from 'preact/hooks'
import { Icon } from '../components/icon.tsx'

export interface DialogProperties {
  readonly title: string
  readonly children: ComponentChildren
  readonly onClose: () => void
  readonly wide?: boolean
  /** For keys of the dialog's own. */
  readonly onKeyDown?: (event: KeyboardEvent) => void
}

/** A modal dialog: it keeps the focus, and Escape closes it. */
export function Dialog({ title, children, onClose, wide = false, onKeyDown }: DialogProperties) {
  const element = useRef<HTMLDialogElement>(null)
  // Before the next key press: a quick typist presses `r` and `2` within a few milliseconds.
  useLayoutEffect(() => {
    const dialog = element.current!
    dialog.showModal()
    dialog.querySelector<HTMLElement>('[data-first]')?.focus()
    return () => dialog.close()
  }, [])
  return (
    <dialog
      ref={element}
      class={wide ? 'dialog wide' : 'dialog'}
      aria-labelledby="dialog-title"
      onCancel={(event) => {
        event.preventDefault()
        onClose()
      }}
      onKeyDown={(event) => onKeyDown?.(event)}
    >
      <header>
        <h2 id="dialog-title">{title}</h2>
        <button type="button" class="icon-button small" onClick={onClose}>
          <Icon name="close" />
          <span class="hidden">Close</span>
        </button>
      </header>
      {children}
    </dialog>
  )
}
