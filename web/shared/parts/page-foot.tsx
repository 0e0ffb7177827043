import type { PagedList } from './load-pages.ts'

/** The foot of a list: loading, a failure, or the button for more. */
export function PageFoot({ list, empty }: { list: PagedList<unknown>; empty: string }) {
  if (list.message !== '')
    return (
      <p class="form-message" role="alert">
        {list.message}{' '}
        <button type="button" class="text-button" onClick={list.reload}>
          Try again
        </button>
      </p>
    )
  if (list.isLoading) return <p class="quiet">Loading.</p>
  if (list.items.length === 0) return <p class="quiet">{empty}</p>
  return list.hasMore ? (
    <button type="button" class="button" onClick={list.loadMore}>
      Show more
    </button>
  ) : null
}
