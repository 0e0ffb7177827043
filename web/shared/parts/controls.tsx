import type { ComponentChildren, JSX, RefObject } from 'preact'
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks'
import { Icon } from '../components.tsx'
import { type Page, RequestError, request } from './request.ts'

interface ButtonProperties extends Omit<JSX.IntrinsicElements['button'], 'label' | 'ref'> {
  readonly label: ComponentChildren
  /** The key that does the same. */
  readonly shortcut?: string
  /** Only read aloud: tells apart buttons of one label. */
  readonly about?: string
}

export function Button({ label, shortcut, about, class: name = 'button', type = 'button', ...rest }: ButtonProperties) {
  return (
    <button type={type as 'button'} class={name} {...rest}>
      {label}
      {shortcut !== undefined && ' '}
      {shortcut !== undefined && <kbd>{shortcut}</kbd>}
      {about !== undefined && <span class="hidden"> {about}</span>}
    </button>
  )
}

interface SelectProperties<Value extends string> {
  readonly value?: Value | ''
  /** Values with their labels, or values that `labelOf` names, else themselves. */
  readonly options: Readonly<Record<Value, string>> | readonly Value[]
  readonly labelOf?: (value: Value) => string
  /** The label of the choice of none, whose value is empty. */
  readonly none?: string
  readonly class?: string
  readonly title?: string
  readonly 'aria-label'?: string | undefined
  readonly onChoose: (value: Value) => void
}

export function Select<Value extends string>(properties: SelectProperties<Value>) {
  const { options, labelOf = (value) => value, none, onChoose, ...rest } = properties
  const values = Array.isArray(options)
    ? (options as readonly Value[]).map((value) => [value, labelOf(value)])
    : Object.entries<string>(options)
  return (
    <select {...rest} onChange={({ currentTarget }) => onChoose(currentTarget.value as Value)}>
      {none !== undefined && <option value="">{none}</option>}
      {values.map(([value, label]) => (
        <option key={value} value={value}>
          {label}
        </option>
      ))}
    </select>
  )
}

/** The attributes of a text field that shows a value and hands on what is typed. */
export function typed(value: string, onType: (value: string) => void) {
  return { value, onInput: (event: Event) => onType((event.currentTarget as HTMLInputElement).value) }
}

/** A form's handler that does the work in place of the browser. */
export function submits(work: () => unknown): (event: Event) => void {
  return (event) => {
    event.preventDefault()
    void work()
  }
}

/** A label above its field. */
export function Field({ label, wide = false, children }: FieldProperties) {
  return (
    // biome-ignore lint/a11y/noLabelWithoutControl: the field is among the children
    <label class={wide ? 'field wide' : 'field'}>
      <span>{label}</span>
      {children}
    </label>
  )
}

interface FieldProperties {
  readonly label: string
  readonly wide?: boolean
  readonly children: ComponentChildren
}

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
        <CloseButton onClick={onClose} />
      </header>
      {children}
    </dialog>
  )
}

export function CloseButton({ onClick }: { onClick: () => void }) {
  return (
    <button type="button" class="icon-button small" onClick={onClick}>
      <Icon name="close" />
      <span class="hidden">Close</span>
    </button>
  )
}

interface TableProperties {
  readonly columns: readonly string[]
  /** The use of the buttons in the last column; only read aloud. */
  readonly action?: string
  readonly children: ComponentChildren
}

/** A table that scrolls by itself on a narrow screen. */
export function Table({ columns, action, children }: TableProperties) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard
    <section class="table-scroller" tabIndex={0} aria-label="Table">
      <table class="table">
        <thead>
          <tr>
            {columns.map((column) => (
              <th key={column} scope="col">
                {column}
              </th>
            ))}
            {action !== undefined && (
              <th scope="col">
                <span class="hidden">{action}</span>
              </th>
            )}
          </tr>
        </thead>
        <tbody>{children}</tbody>
      </table>
    </section>
  )
}

interface ListState<Item> {
  readonly items: readonly Item[]
  readonly isLoading: boolean
  readonly hasMore: boolean
  readonly message: string
  readonly cursor: string | null
}

interface PagedList<Item> extends ListState<Item> {
  /** Whether the list is known to have no entry. */
  readonly isEmpty: boolean
  loadMore(): void
  reload(): void
}

const LIMIT = 50
const LOADING = { items: [], isLoading: true, hasMore: false, message: '', cursor: null }

/** Loads a list of the API page by page; another path begins it anew. */
export function usePages<Item>(path: string, query: Readonly<Record<string, string>> = {}): PagedList<Item> {
  const key = JSON.stringify([path, query])
  const [round, setRound] = useState(0)
  const [state, setState] = useState<ListState<Item>>(LOADING)
  const load = async (cursor: string | null, before: readonly Item[], signal: AbortSignal) => {
    const search = new URLSearchParams({ limit: String(LIMIT), ...query, ...(cursor === null ? {} : { cursor }) })
    for (const [name, value] of Object.entries(query)) if (value === '') search.delete(name)
    setState((old) => ({ ...old, isLoading: true, message: '' }))
    try {
      const page = await request<Page<Item>>('GET', `${path}?${search}`, { signal })
      const { data, has_more: hasMore, next_cursor } = page
      setState({ items: [...before, ...data], isLoading: false, hasMore, message: '', cursor: next_cursor })
    } catch (error) {
      if (signal.aborted) return
      if (!(error instanceof RequestError)) throw error
      setState((old) => ({ ...old, isLoading: false, message: error.message }))
    }
  }
  useEffect(() => {
    const stopping = new AbortController()
    void load(null, [], stopping.signal)
    return () => stopping.abort()
  }, [key, round])
  return {
    ...state,
    isEmpty: !state.isLoading && state.message === '' && state.items.length === 0,
    loadMore: () => void load(state.cursor, state.items, new AbortController().signal),
    reload: () => setRound(round + 1),
  }
}

/** The foot of a list: loading, a failure, or the button for more. */
export function PageFoot({ list, empty = '' }: { list: PagedList<unknown>; empty?: string }) {
  if (list.message !== '')
    return (
      <p class="form-message" role="alert">
        {list.message} <Button class="text-button" label="Try again" onClick={list.reload} />
      </p>
    )
  if (list.isLoading) return <p class="quiet">Loading.</p>
  if (list.items.length === 0) return <p class="quiet">{empty}</p>
  return list.hasMore ? <Button label="Show more" onClick={list.loadMore} /> : null
}

/** For the list of tabs, which scrolls where it is too narrow: keeps the chosen one in sight. */
export function useTabInSight(...changes: unknown[]): RefObject<HTMLElement | null> {
  const list = useRef<HTMLElement>(null)
  useEffect(() => {
    const tab = list.current?.querySelector<HTMLElement>('[aria-current]')
    if (!tab) return
    const { offsetLeft, clientWidth } = list.current!
    list.current!.scrollTo({ left: tab.offsetLeft - offsetLeft - (clientWidth - tab.offsetWidth) / 2 })
  }, changes)
  return list
}
