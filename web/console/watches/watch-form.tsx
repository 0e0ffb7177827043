import { useMemo, useState } from 'preact/hooks'
import type { ListSitesAnswer, Watch, WatchWithSecret } from '../../../client/src/generated/types.ts'
import { WATCH_EVENTS, type WatchEvent } from '../../../src/domain/watch.ts'
import { MAX_HEADER_NAME_LENGTH, MAX_HEADER_VALUE_LENGTH, MAX_HEADERS } from '../../../src/domain/watch-headers.ts'
import { Button, Field, submits, typed } from '../../shared/parts/controls.tsx'
import { request } from '../../shared/parts/request.ts'
import { useAction, useLoaded } from '../actions.ts'
import { FailureNote } from '../parts.tsx'
import { AreaField } from '../places/area-field.tsx'
import { useSavedAreas } from '../places/areas-view.tsx'
import { show } from '../view.ts'
import { ChannelFields, type ChannelForm, channelMembers } from './channel-fields.tsx'
import { FilterFields } from './filter-fields.tsx'
import { EMPTY_FILTER, type FilterForm, filterOf, formOf } from './filter-form.ts'
import { ScheduleFields } from './schedule-fields.tsx'
import {
  AT_ONCE,
  EVENT_WORDS,
  type HeaderRow,
  headersOf,
  newRow,
  newSecret,
  rowsOf,
  type ScheduleForm,
  scheduleFormOf,
  scheduleMembers,
} from './watch.ts'
import { incidentFeatures, PreviewList, usePreview } from './watch-preview.tsx'

async function bodyOf(form: WatchFormState, before: Watch | null) {
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
  // A followed incident was published before: news of it are corrections.
  const events = incident === null ? EMPTY_WATCH.events : WATCH_EVENTS
  const save = async (form: WatchFormState) => {
    const watch = await request<WatchWithSecret>('POST', '/v1/watches', {
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
  const { body: watch, failure } = useLoaded<Watch>(`/v1/watches/${encodeURIComponent(id)}`)
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

interface WatchFormState extends ChannelForm {
  readonly name: string
  readonly description: string
  readonly events: readonly WatchEvent[]
  readonly headers: readonly HeaderRow[]
  readonly schedule: ScheduleForm
  readonly filter: FilterForm
}

const EMPTY_WATCH: WatchFormState = {
  name: '',
  channel: 'webhook',
  url: '',
  chatId: '',
  code: '',
  language: 'en',
  description: '',
  events: ['incident.created'],
  headers: [],
  schedule: AT_ONCE,
  filter: EMPTY_FILTER,
}

interface WatchFormProperties {
  readonly initial: WatchFormState
  /** The shown part of the watch's address; null for a new watch. */
  readonly shownAddress: string | null
  readonly action: string
  readonly onSave: (form: WatchFormState) => Promise<unknown>
  readonly onCancel: () => void
}

/** A watch as a form, with what the last 30 days would have brought. */
function WatchForm({ initial, shownAddress, action, onSave, onCancel }: WatchFormProperties) {
  const [form, setForm] = useState(initial)
  const { isBusy, failure, run } = useAction()
  const change = (part: Partial<WatchFormState>) => setForm((before) => ({ ...before, ...part }))
  const changeFilter = (part: Partial<FilterForm>) =>
    setForm((before) => ({ ...before, filter: { ...before.filter, ...part } }))
  const { body: areas, failure: areasFailure } = useSavedAreas()
  const { body: siteLists, failure: sitesFailure } = useLoaded<ListSitesAnswer>('/v1/sites?limit=100')
  const preview = usePreview(useMemo(() => filterOf(form.filter), [form.filter]))
  const features = useMemo(() => incidentFeatures(preview.incidents), [preview.incidents])
  const submit = submits(() => run(() => onSave(form)))
  return (
    <form class="watch-form" onSubmit={submit}>
      <section class="panel" aria-labelledby="where-to">
        <h2 id="where-to">Where to send it</h2>
        <div class="fields">
          <Field label="Name">
            <input
              required
              maxLength={100}
              placeholder="North-west roads"
              {...typed(form.name, (name) => change({ name }))}
            />
          </Field>
          <ChannelFields form={form} before={shownAddress} onChange={change} />
          <Field label="Note to yourself" wide>
            <input maxLength={1000} {...typed(form.description, (description) => change({ description }))} />
          </Field>
        </div>
        {form.channel === 'webhook' ? (
          <fieldset class="event-choices">
            <legend>Send</legend>
            {WATCH_EVENTS.map((event) => (
              <label key={event}>
                <input
                  type="checkbox"
                  checked={form.events.includes(event)}
                  onChange={({ currentTarget }) =>
                    change({
                      events: WATCH_EVENTS.filter((each) =>
                        each === event ? currentTarget.checked : form.events.includes(each),
                      ),
                    })
                  }
                />
                {EVENT_WORDS[event]}
              </label>
            ))}
          </fieldset>
        ) : (
          <p class="quiet">New incidents, their corrections and their withdrawals are sent.</p>
        )}
        {form.channel === 'webhook' && <HeaderFields rows={form.headers} onChange={(headers) => change({ headers })} />}
        <ScheduleFields
          form={form.schedule}
          forPeople={form.channel !== 'webhook'}
          onChange={(schedule) => change({ schedule })}
        />
      </section>
      <section class="panel" aria-labelledby="looks-for">
        <h2 id="looks-for">What to look for</h2>
        <FilterFields form={form.filter} onChange={changeFilter} />
        <FailureNote failure={areasFailure ?? sitesFailure} />
        <AreaField
          area={form.filter.area}
          incidents={features}
          saved={areas ?? []}
          siteLists={siteLists?.data ?? []}
          onChange={(area) => changeFilter({ area })}
        />
      </section>
      <PreviewList preview={preview} />
      <div class="panel save-line">
        <FailureNote failure={failure} />
        <div class="row-of-buttons">
          <Button class="button primary" type="submit" label={action} disabled={isBusy || form.events.length === 0} />
          <Button label="Cancel" onClick={onCancel} />
          {form.events.length === 0 && <span class="quiet">Choose at least one event to send.</span>}
        </div>
      </div>
    </form>
  )
}

interface HeaderFieldsProperties {
  readonly rows: readonly HeaderRow[]
  readonly onChange: (rows: readonly HeaderRow[]) => void
}

/** Headers of one's own that every message carries, such as a token of the endpoint. */
function HeaderFields({ rows, onChange }: HeaderFieldsProperties) {
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
                {...typed(name, (name) => change(key, { name }))}
              />
              <input
                aria-label={`Value of ${name === '' ? `header ${index + 1}` : name}`}
                placeholder={isStored ? 'stays as it is' : 'value'}
                autocomplete="off"
                spellcheck={false}
                maxLength={MAX_HEADER_VALUE_LENGTH}
                {...typed(value, (value) => change(key, { value }))}
              />
              <Button
                class="text-button"
                label="Remove"
                about={name === '' ? `header ${index + 1}` : name}
                onClick={() => onChange(rows.filter((row) => row.key !== key))}
              />
            </li>
          ))}
        </ul>
      )}
      {rows.length < MAX_HEADERS && (
        <Button class="button small" label="Add a header" onClick={() => onChange([...rows, newRow()])} />
      )}
    </fieldset>
  )
}
