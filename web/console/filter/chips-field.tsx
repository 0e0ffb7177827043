import { useId, useState } from 'preact/hooks'
import { Icon } from '../../shared/components/icon.tsx'

export interface Suggestion {
  readonly value: string
  readonly label: string
}

interface ChipsFieldProperties {
  readonly label: string
  readonly chosen: readonly string[]
  readonly suggestions: readonly Suggestion[]
  readonly placeholder?: string
  /** For long values, such as ids. */
  readonly wide?: boolean
  readonly onChange: (chosen: readonly string[]) => void
}

/** Several values, each chosen from suggestions or typed; the API says if it knows none such. */
export function ChipsField({
  label,
  chosen,
  suggestions,
  placeholder = 'any',
  wide = false,
  onChange,
}: ChipsFieldProperties) {
  const [text, setText] = useState('')
  const id = useId()
  const labelOf = (value: string) => suggestions.find((each) => each.value === value)?.label ?? value
  const add = (typed: string) => {
    const wanted = typed.trim()
    setText('')
    if (wanted === '') return
    const known = suggestions.find(({ label: name }) => name.toLowerCase() === wanted.toLowerCase())
    const value = known?.value ?? wanted
    if (!chosen.includes(value)) onChange([...chosen, value])
  }
  return (
    <div class={wide ? 'field chips-field wide' : 'field chips-field'}>
      <label for={id}>{label}</label>
      <div class="chips">
        {chosen.map((value) => (
          <span key={value} class="chip">
            {labelOf(value)}
            <button
              type="button"
              class="icon-button small"
              onClick={() => onChange(chosen.filter((each) => each !== value))}
            >
              <Icon name="close" />
              <span class="hidden">
                Remove {labelOf(value)} from {label}
              </span>
            </button>
          </span>
        ))}
        <input
          id={id}
          list={`${id}-list`}
          placeholder={chosen.length === 0 ? placeholder : 'or'}
          value={text}
          onInput={({ currentTarget }) => {
            const isWhole = suggestions.some((each) => each.label === currentTarget.value)
            if (isWhole) add(currentTarget.value)
            else setText(currentTarget.value)
          }}
          onKeyDown={(event) => {
            if (event.key !== 'Enter' || text === '') return
            event.preventDefault()
            add(text)
          }}
          onBlur={() => add(text)}
        />
        <datalist id={`${id}-list`}>
          {suggestions
            .filter(({ value }) => !chosen.includes(value))
            .map(({ value, label: name }) => (
              <option key={value} value={name} />
            ))}
        </datalist>
      </div>
    </div>
  )
}
