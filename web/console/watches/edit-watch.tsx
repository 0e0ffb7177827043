import { WATCH_EVENTS } from '../../../src/domain/watch.ts'
import { request } from '../../shared/parts/request.ts'
import { filterOf, formOf } from '../filter/filter-form.ts'
import { FailureNote } from '../parts/failure-note.tsx'
import { useLoaded } from '../parts/use-loaded.ts'
import { scheduleFormOf, scheduleMembers } from '../schedule/schedule-form.ts'
import { show } from '../view.ts'
import { channelMembers } from './channel-fields.tsx'
import { headersOf, rowsOf } from './header-rows.ts'
import { newSecret } from './new-secret.ts'
import type { WatchEntry } from './types.ts'
import { EMPTY_WATCH, WatchForm, type WatchFormState } from './watch-form.tsx'

async function bodyOf(form: WatchFormState, before: WatchEntry | null) {
  const { name, channel, description, events, headers, schedule, filter } = form
  return {
    name: name.trim(),
    ...(await channelMembers(form, before)),
    description: description.trim() || null,
    ...(channel === 'webhook' ? { events, headers: headersOf(headers) } : {}),
    ...scheduleMembers(schedule),
    filter: filterOf(filter),
  }
}

/** `sites` is a list of sites that it begins with, `incident` one to follow. */
export function NewWatch({ sites, incident }: { sites: string | null; incident: string | null }) {
  const filter = { ...(sites === null ? {} : { sites }), ...(incident === null ? {} : { incident }) }
  // What is followed was published before: news of it are corrections.
  const events = incident === null ? EMPTY_WATCH.events : WATCH_EVENTS
  const save = async (form: WatchFormState) => {
    const watch = await request<WatchEntry & { secret: string }>('POST', '/v1/watches', {
      body: await bodyOf(form, null),
      idempotencyKey: crypto.randomUUID(),
    })
    if (watch.secret !== '') newSecret.set({ watchId: watch.id, secret: watch.secret })
    show('watches', { watch: watch.id })
  }
  return (
    <>
      <h1>New watch</h1>
      <WatchForm
        initial={{ ...EMPTY_WATCH, events, filter: formOf(filter) }}
        shownAddress={null}
        action="Make the watch"
        onSave={save}
        onCancel={() => show('watches')}
      />
    </>
  )
}

export function EditWatch({ id }: { id: string }) {
  const { body: watch, failure } = useLoaded<WatchEntry>(`/v1/watches/${encodeURIComponent(id)}`)
  const leave = () => show('watches', { watch: id })
  const save = async (form: WatchFormState) => {
    await request('PATCH', `/v1/watches/${id}`, { body: await bodyOf(form, watch) })
    leave()
  }
  if (watch === null) return failure === null ? <p class="quiet">Loading.</p> : <FailureNote failure={failure} />
  const { name, channel, url, description, events, headers, filter } = watch
  return (
    <>
      <h1>Edit {name}</h1>
      <WatchForm
        initial={{
          ...EMPTY_WATCH,
          name,
          channel: channel.kind,
          language: channel.language ?? EMPTY_WATCH.language,
          url: channel.kind === 'webhook' ? url : '',
          description: description ?? '',
          events,
          headers: rowsOf(headers),
          schedule: scheduleFormOf(watch),
          filter: formOf(filter),
        }}
        shownAddress={url}
        action="Save"
        onSave={save}
        onCancel={leave}
      />
    </>
  )
}
