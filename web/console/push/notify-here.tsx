import { useEffect, useState } from 'preact/hooks'
import { currentTraits, pushSupport } from '../../shared/parts/push/push-support.ts'
import { shownAddressHere, subscribeHere } from '../../shared/parts/push/subscribe.ts'
import { request } from '../../shared/parts/request.ts'
import { FailureNote } from '../parts/failure-note.tsx'
import { useAction } from '../parts/use-action.ts'
import { show } from '../view.ts'
import type { WatchEntry } from '../watches/types.ts'
import { PushNote } from './push-note.tsx'

const MAX_NAME = 100

/**
 * Turns on notifications in this browser for what a watch looks for: of a watch that notifies a
 * browser, in this one instead; of another, by a watch beside it.
 */
export function NotifyHere({ watch, onDone }: { watch: WatchEntry; onDone: () => void }) {
  const [here, setHere] = useState<string | null>(null)
  const { isBusy, failure, run } = useAction()
  useEffect(() => {
    // Without an answer, the button is shown: it does no harm in the browser that is notified.
    shownAddressHere().then(setHere, () => setHere(null))
  }, [watch.url])
  const isBrowser = watch.channel.kind === 'webpush'
  const isThis = isBrowser && watch.url === here
  const turnOn = () =>
    run(async () => {
      const channel = { kind: 'webpush', subscription: await subscribeHere() }
      if (isBrowser) {
        await request('PATCH', `/v1/watches/${watch.id}`, { body: { channel, status: 'active' } })
        onDone()
        return
      }
      const name = `${watch.name.slice(0, MAX_NAME - 20)}, in this browser`
      const body = { name, channel, filter: watch.filter }
      const { id } = await request<WatchEntry>('POST', '/v1/watches', { body, idempotencyKey: crypto.randomUUID() })
      show('watches', { watch: id })
    })
  if (isThis && watch.status !== 'disabled')
    return (
      <section class="panel" aria-labelledby="notify-heading">
        <h2 id="notify-heading">Notifications</h2>
        <p>This browser shows what the watch finds. Pause the watch for quiet.</p>
      </section>
    )
  return (
    <section class="panel" aria-labelledby="notify-heading">
      <h2 id="notify-heading">Notifications</h2>
      {isBrowser && !isThis && (
        <p>Another browser shows what the watch finds, or one that has ended its subscription.</p>
      )}
      <PushNote />
      <FailureNote failure={failure} />
      <button
        type="button"
        class="button"
        disabled={isBusy || pushSupport(currentTraits()) !== 'ready'}
        onClick={turnOn}
      >
        {isBrowser ? 'Show them in this browser' : 'Notify me in this browser'}
      </button>
    </section>
  )
}
