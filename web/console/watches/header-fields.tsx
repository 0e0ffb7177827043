import { MAX_HEADER_NAME_LENGTH, MAX_HEADER_VALUE_LENGTH, MAX_HEADERS } from '../../../src/domain/watch-headers.ts'
import { type HeaderRow, newRow } from './header-rows.ts'

interface HeaderFieldsProperties {
  readonly rows: readonly HeaderRow[]
  readonly onChange: (rows: readonly HeaderRow[]) => void
}

/** Headers of one's own that every message carries, such as a token of the endpoint. */
export function HeaderFields({ rows, onChange }: HeaderFieldsProperties) {
  const change = (key: number, part: Partial<HeaderRow>) =>
    onChange(rows.map((row) => (row.key === key ? { ...row, ...part } : row)))
  return (
    <fieldset class="header-fields">
      <legend>Headers of your own</legend>
      <p class="quiet">
        Sent with every message, such as a token that your endpoint asks for. Values are stored encrypted and never
        shown again.
      </p>
      {rows.length > 0 && (
        <ul>
          {rows.map(({ key, name, value, isStored }, index) => (
            <li key={key}>
              <input
                aria-label={`Name of header ${index + 1}`}
                placeholder="X-Token"
                autocomplete="off"
                spellcheck={false}
                maxLength={MAX_HEADER_NAME_LENGTH}
                // A stored value belongs to its name: another name is another header.
                readOnly={isStored}
                value={name}
                onInput={({ currentTarget }) => change(key, { name: currentTarget.value })}
              />
              <input
                aria-label={`Value of ${name === '' ? `header ${index + 1}` : name}`}
                placeholder={isStored ? 'stays as it is' : 'value'}
                autocomplete="off"
                spellcheck={false}
                maxLength={MAX_HEADER_VALUE_LENGTH}
                value={value}
                onInput={({ currentTarget }) => change(key, { value: currentTarget.value })}
              />
              <button type="button" class="text-button" onClick={() => onChange(rows.filter((row) => row.key !== key))}>
                Remove<span class="hidden"> {name === '' ? `header ${index + 1}` : name}</span>
              </button>
            </li>
          ))}
        </ul>
      )}
      {rows.length < MAX_HEADERS && (
        <button type="button" class="button small" onClick={() => onChange([...rows, newRow()])}>
          Add a header
        </button>
      )}
    </fieldset>
  )
}
