import type { FieldMessage } from '../../shared/parts/request.ts'
import type { Failure } from './use-action.ts'

/** Says what was refused, and for each field what would be right. */
export function FailureNote({ failure }: { failure: Failure | null }) {
  return (
    <div role="alert" class="failure-note">
      {failure !== null && (
        <>
          <p>
            {failure.message}
            {failure.fields.length === 1 && suggestionText(failure.fields[0]!)}
          </p>
          {failure.fields.length > 1 && (
            <ul>
              {failure.fields.map((field) => (
                <li key={`${nameOf(field)} ${field.message}`}>
                  {nameOf(field) !== '' && <code>{nameOf(field)}</code>} {field.message}
                  {suggestionText(field)}
                </li>
              ))}
            </ul>
          )}
        </>
      )}
    </div>
  )
}

function nameOf({ pointer, parameter }: FieldMessage): string {
  return (pointer ?? parameter ?? '').replace(/^\//, '')
}

function suggestionText({ did_you_mean: names = [] }: FieldMessage): string {
  return names.length === 0 ? '' : ` Did you mean ${names.join(' or ')}?`
}
