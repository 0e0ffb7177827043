import type { ComponentChildren } from 'preact'

interface TableProperties {
  readonly columns: readonly string[]
  /** What the buttons of the last column do; only read aloud. */
  readonly action?: string
  /** The rows. */
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
