import type { ComponentChildren } from 'preact'
import { addressOf, show, type ViewName } from '../view.ts'

interface LinkProperties {
  readonly view: ViewName
  readonly query?: Readonly<Record<string, string>>
  readonly class?: string
  readonly isCurrent?: boolean
  readonly children: ComponentChildren
}

/** A link to a part of the console: followed within the page, or opened in another tab. */
export function Link({ view, query = {}, class: className, isCurrent = false, children }: LinkProperties) {
  const follow = (event: MouseEvent) => {
    if (event.metaKey || event.ctrlKey || event.shiftKey || event.button !== 0) return
    event.preventDefault()
    show(view, query)
  }
  return (
    <a
      href={addressOf({ view, query })}
      class={className}
      aria-current={isCurrent ? 'page' : undefined}
      onClick={follow}
    >
      {children}
    </a>
  )
}
