import { useCallback, useEffect, useState } from 'preact/hooks'
import { Button, Table } from '../../shared/parts/controls.tsx'
import { request } from '../../shared/parts/request.ts'
import { momentText } from '../../shared/text.ts'
import { showRefusal } from '../toasts.tsx'

interface NewsSource {
  readonly id: string
  readonly url: string
  readonly publisher: string
  readonly every_minutes: number
  readonly paused: boolean
  readonly health: {
    readonly status: 'new' | 'healthy' | 'failing' | 'paused'
    readonly last_fetched_at: string | null
    readonly failures: number
    readonly problem: { readonly detail: string } | null
    readonly moved_to: string | null
    readonly items: number
    readonly queued: number
    readonly proposed: number
    readonly confirmed: number
  }
}

/** Feeds are polled behind the page: what is shown is read again as often. */
const READ_AGAIN_MS = 5000

/** The feeds that are polled, and how they are. */
export function SourcesView() {
  const [sources, setSources] = useState<readonly NewsSource[] | null>(null)
  const read = useCallback(async () => {
    const { data } = await request<{ data: NewsSource[] }>('GET', '/v1/admin/sources')
    setSources(data)
  }, [])
  useEffect(() => {
    void showRefusal(read())
    const readAgain = () =>
      read().catch((error: unknown) => console.warn('The sources could not be read again:', error))
    const timer = setInterval(readAgain, READ_AGAIN_MS)
    return () => clearInterval(timer)
  }, [read])
  const setPaused = (source: NewsSource, paused: boolean) =>
    void showRefusal(request('PATCH', `/v1/admin/sources/${source.id}`, { body: { paused } }).then(read))
  return (
    <main class="admin">
      <h1>Sources</h1>
      <p class="quiet">
        Feeds that the service polls. What they report is queued, or proposed as a further source of a known incident.
      </p>
      <Table
        columns={['Publisher', 'Health', 'Last fetched', 'Items', 'Queued', 'Proposed', 'Confirmed']}
        action="Pause"
      >
        {sources?.map((source) => (
          <tr key={source.id}>
            <td>
              {source.publisher}
              <br />
              <span class="quiet">{source.url}</span>
            </td>
            <td>
              <Health source={source} />
            </td>
            <td class="nowrap">
              {source.health.last_fetched_at === null ? 'not yet' : momentText(source.health.last_fetched_at)}
            </td>
            <td>{source.health.items}</td>
            <td>{source.health.queued}</td>
            <td>{source.health.proposed}</td>
            <td>{source.health.confirmed}</td>
            <td>
              <Button
                class="button small"
                label={source.paused ? 'Resume' : 'Pause'}
                onClick={() => setPaused(source, !source.paused)}
              />
            </td>
          </tr>
        ))}
      </Table>
      {sources?.length === 0 && <p class="quiet">There is none yet: “incident-feed sources add” adds one.</p>}
    </main>
  )
}

function Health({ source: { health } }: { source: NewsSource }) {
  return (
    <>
      <span class={health.status === 'failing' ? 'tag claimed' : 'tag'}>{health.status}</span>
      {health.problem !== null && ` ${health.problem.detail} ${health.failures} in a row.`}
      {health.moved_to !== null && ` It has moved to ${health.moved_to}.`}
    </>
  )
}
