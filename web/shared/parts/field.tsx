import type { ComponentChildren } from 'preact'

/** A label above its field. */
export function Field({
  label,
  wide = false,
  children,
}: {
  label: string
  wide?: boolean
  children: ComponentChildren
}) {
  return (
    // biome-ignore lint/a11y/noLabelWithoutControl: the field is among the children
    <label class={wide ? 'field wide' : 'field'}>
      <span>{label}</span>
      {children}
    </label>
  )
}
