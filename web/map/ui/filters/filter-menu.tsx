import { useId, useLayoutEffect, useRef, useState } from 'preact/hooks'
import { Icon } from '../../../shared/components/icon.tsx'
import { count } from '../../../shared/format.ts'
import { type Statistics, useStatistics } from '../../data/statistics.ts'

export interface Option {
  readonly value: string
  readonly label: string
  /** Null until it is known. */
  readonly count: number | null
  readonly hint?: string
}

interface Properties {
  readonly label: string
  readonly chosen: readonly string[]
  /** Whether only one may be chosen. */
  readonly single?: boolean
  /** What has to be counted for the options; always as many questions. */
  readonly questions: readonly string[]
  readonly options: (answers: readonly (Statistics | null)[]) => readonly Option[]
  /** What a value is called before its count has come. */
  readonly fallback?: (value: string) => string
  readonly onChange: (values: string[]) => void
}

const MANY = 12

/** A chip that opens a list of values with their counts. Nothing is asked for until it is opened. */
export function FilterMenu({ label, chosen, single, questions, options, fallback, onChange }: Properties) {
  const [open, setOpen] = useState(false)
  const [search, setSearch] = useState('')
  const box = useRef<HTMLDivElement>(null)
  const button = useRef<HTMLButtonElement>(null)
  const id = useId()
  const wanted = open || (chosen.length > 0 && fallback === undefined)
  // As many hooks at every turn: a menu always has as many questions.
  const asked = questions.map((question) => useStatistics(wanted ? question : null))
  const error = asked.find((one) => one.error !== null)?.error
  const counted = asked.every(({ statistics }) => statistics !== null)

  // From the moment it can be seen: a key pressed then must not be lost.
  useLayoutEffect(() => {
    if (!open) return
    const away = (event: Event) => {
      if (!box.current?.contains(event.target as Node)) setOpen(false)
    }
    const closeOnEscape = (event: KeyboardEvent) => {
      if (event.key !== 'Escape') return
      setOpen(false)
      button.current?.focus()
    }
    addEventListener('pointerdown', away)
    addEventListener('keydown', closeOnEscape)
    return () => {
      removeEventListener('pointerdown', away)
      removeEventListener('keydown', closeOnEscape)
    }
  }, [open])

  const all = options(asked.map(({ statistics }) => statistics))
  const nameOf = (value: string) => all.find((option) => option.value === value)?.label ?? fallback?.(value) ?? value
  const shown = all.filter((option) => option.label.toLowerCase().includes(search.trim().toLowerCase()))
  const missing = chosen.filter((value) => !all.some((option) => option.value === value))
  const rows = [
    ...missing.map((value): Option => ({ value, label: nameOf(value), count: counted ? 0 : null })),
    ...shown,
  ]
  const choose = (value: string) => {
    if (single) return onChange(chosen.includes(value) ? [] : [value])
    onChange(chosen.includes(value) ? chosen.filter((one) => one !== value) : [...chosen, value])
  }
  const title = chosen.length === 0 ? label : chosen.length === 1 ? nameOf(chosen[0]!) : `${label}: ${chosen.length}`
  return (
    <div class="menu" ref={box}>
      <button
        type="button"
        ref={button}
        class="chip"
        aria-expanded={open}
        aria-controls={id}
        data-on={chosen.length > 0}
        onClick={() => setOpen(!open)}
      >
        {title}
        <Icon name="down" />
      </button>
      <fieldset class="menu-box" id={id} hidden={!open}>
        <legend class="hidden">{label}</legend>
        {all.length > MANY && (
          <input
            type="search"
            placeholder={`Find a ${label === 'LGA' ? 'LGA' : label.toLowerCase()}`}
            aria-label={`Find among ${label}`}
            value={search}
            onInput={(event) => setSearch(event.currentTarget.value)}
          />
        )}
        {open && !counted && !error && <p class="note">Counting …</p>}
        {error && <p class="note">{error}</p>}
        {counted && rows.length === 0 && <p class="note">Nothing here; clear another filter.</p>}
        <div class="menu-rows">
          {rows.map((option) => (
            <label key={option.value} class="menu-row">
              <input
                type={single ? 'radio' : 'checkbox'}
                name={`${id}-choice`}
                checked={chosen.includes(option.value)}
                onChange={() => choose(option.value)}
              />
              <span>
                {option.label}
                {option.hint && <span class="quiet"> {option.hint}</span>}
              </span>
              <span class="count">{option.count === null ? '·' : count(option.count)}</span>
            </label>
          ))}
        </div>
        {chosen.length > 0 && (
          <button type="button" class="text-button" onClick={() => onChange([])}>
            Any {label === 'LGA' ? 'LGA' : label.toLowerCase()}
          </button>
        )}
      </fieldset>
    </div>
  )
}
