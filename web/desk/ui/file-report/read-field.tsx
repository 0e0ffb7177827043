import type { ComponentChildren } from 'preact'
import { Field } from '../../../shared/parts/field.tsx'

/** A field, and beneath it the words of the story that it was read from. */
export function ReadField({
  label,
  readFrom,
  children,
}: {
  label: string
  readFrom: string | null
  children: ComponentChildren
}) {
  return (
    <div class="read-field">
      <Field label={label}>{children}</Field>
      {readFrom !== null && <small class="read-from">“{readFrom}”</small>}
    </div>
  )
}
