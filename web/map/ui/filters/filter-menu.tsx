import { useId, useLayoutEffect, useRef, useState } from 'preact/hooks'
import { Icon } from '../../../shared/components.tsx'
import { t } from '../../../shared/language.ts'
import { numberText } from '../../../shared/text.ts'
import { usePlaceName } from '../../data/place-names.ts'
import type { Statistics } from '../../data/statistics.ts'
import { useStatistics } from '../../data/use-statistics.ts'

export interface FilterOption {
  readonly value: string
  readonly label: string
  /** Null until it has been loaded. */
  readonly count: number | null
  readonly hint?: string
}

interface FilterMenuProperties {
  readonly kind: 'state' | 'lga' | 'type' | 'confidence'
  readonly chosen: readonly string[]
  /** Whether only one value may be chosen. */
  readonly single?: boolean
  /** Queries of `/v1/stats` that count the options; their number never changes. */
  readonly queries: readonly string[]
  readonly optionsFrom: (counts: readonly (Statistics | null)[]) => readonly FilterOption[]
  /** Names a value that is no place. */
  readonly labelOf?: (value: string) => string
  readonly onChange: (values: string[]) => void
}

const SEARCH_FROM_OPTIONS = 12

/** A chip that opens a list of values with their counts, which are loaded once it is opened. */
export function FilterMenu({ kind, chosen, single, queries, optionsFrom, labelOf, onChange }: FilterMenuProperties) {
  const [open, setOpen] = useState(false)
  const [search, setSearch] = useState('')
  const box = useRef<HTMLDivElement>(null)
  const button = useRef<HTMLButtonElement>(null)
  const id = useId()
  // The number of queries never changes, so every render calls the same number of hooks.
  const results = queries.map((query) => useStatistics(open ? query : null))
  const error = results.find((result) => result.error !== null)?.error
  const counted = results.every(({ statistics }) => statistics !== null)

  // A layout effect listens from the first visible frame; a later one could miss a key.
  useLayoutEffect(() => {
    if (!open) return
    const closeOnOutside = (event: Event) => {
      if (!box.current?.contains(event.target as Node)) setOpen(false)
    }
    const closeOnEscape = (event: KeyboardEvent) => {
      if (event.key !== 'Escape') return
      setOpen(false)
      button.current?.focus()
    }
    addEventListener('pointerdown', closeOnOutside)
    addEventListener('keydown', closeOnEscape)
    return () => {
      removeEventListener('pointerdown', closeOnOutside)
      removeEventListener('keydown', closeOnEscape)
    }
  }, [open])

  const all = optionsFrom(results.map(({ statistics }) => statistics))
  const label = t(`filters.${kind}`)
  const onlyPlace = chosen.length === 1 && labelOf === undefined ? chosen[0]! : null
  const placeName = usePlaceName(onlyPlace)
  // A code is never shown: it says nothing to a reader.
  const nameOf = (value: string) =>
    all.find((option) => option.value === value)?.label ??
    labelOf?.(value) ??
    (value === onlyPlace ? placeName : null) ??
    '…'
  const shown = all.filter((option) => option.label.toLowerCase().includes(search.trim().toLowerCase()))
  const missing = chosen.filter((value) => !all.some((option) => option.value === value))
  const rows = [
    ...missing.map((value): FilterOption => ({ value, label: nameOf(value), count: counted ? 0 : null })),
    ...shown,
  ]
  const choose = (value: string) => {
    if (single) return onChange(chosen.includes(value) ? [] : [value])
    onChange(chosen.includes(value) ? chosen.filter((one) => one !== value) : [...chosen, value])
  }
  const title =
    chosen.length === 0
      ? label
      : chosen.length === 1
        ? nameOf(chosen[0]!)
        : t(`filters.${kind}_chosen`, { count: chosen.length })
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
        {all.length > SEARCH_FROM_OPTIONS && (
          <input
            type="search"
            placeholder={t(`filters.find_${kind}`)}
            aria-label={t(`filters.find_${kind}`)}
            value={search}
            onInput={(event) => setSearch(event.currentTarget.value)}
          />
        )}
        {open && !counted && !error && <p class="note">{t('filters.counting')}</p>}
        {error && <p class="note">{error}</p>}
        {counted && rows.length === 0 && <p class="note">{t('filters.nothing')}</p>}
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
              <span class="count">{option.count === null ? '·' : numberText(option.count)}</span>
            </label>
          ))}
        </div>
        {chosen.length > 0 && (
          <button type="button" class="text-button" onClick={() => onChange([])}>
            {t(`filters.any_${kind}`)}
          </button>
        )}
      </fieldset>
    </div>
  )
}
