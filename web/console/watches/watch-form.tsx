import { useMemo, useState } from 'preact/hooks'
import { WATCH_EVENTS, type WatchEvent } from '../../../src/domain/watch.ts'
import { Field } from '../../shared/parts/field.tsx'
import { AreaField } from '../area-map/area-field.tsx'
import { useSavedAreas } from '../areas/use-saved-areas.ts'
import { FilterFields } from '../filter/filter-fields.tsx'
import { EMPTY_FILTER, type FilterForm, filterOf } from '../filter/filter-form.ts'
import { FailureNote } from '../parts/failure-note.tsx'
import { useAction } from '../parts/use-action.ts'
import { useLoaded } from '../parts/use-loaded.ts'
import { ScheduleFields } from '../schedule/schedule-fields.tsx'
import { AT_ONCE, type ScheduleForm } from '../schedule/schedule-form.ts'
import type { SiteList } from '../sites/site-list.ts'
import { ChannelFields, type ChannelForm } from './channel-fields.tsx'
import { HeaderFields } from './header-fields.tsx'
import type { HeaderRow } from './header-rows.ts'
import { incidentFeatures, PreviewList } from './preview-list.tsx'
import { EVENT_WORDS } from './types.ts'
import { usePreview } from './use-preview.ts'

export interface WatchFormState extends ChannelForm {
  readonly name: string
  readonly description: string
  readonly events: readonly WatchEvent[]
  readonly headers: readonly HeaderRow[]
  readonly schedule: ScheduleForm
  readonly filter: FilterForm
}

export const EMPTY_WATCH: WatchFormState = {
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
  /** What is shown of the watch's address; null for a new watch. */
  readonly shownAddress: string | null
  readonly action: string
  readonly onSave: (form: WatchFormState) => Promise<unknown>
  readonly onCancel: () => void
}

/** What to look for, where, and where to send it; with what the last 30 days would have brought. */
export function WatchForm({ initial, shownAddress, action, onSave, onCancel }: WatchFormProperties) {
  const [form, setForm] = useState(initial)
  const { isBusy, failure, run } = useAction()
  const change = (part: Partial<WatchFormState>) => setForm((before) => ({ ...before, ...part }))
  const changeFilter = (part: Partial<FilterForm>) =>
    setForm((before) => ({ ...before, filter: { ...before.filter, ...part } }))
  const { areas, failure: areasFailure } = useSavedAreas()
  const { body: siteLists, failure: sitesFailure } = useLoaded<{ data: SiteList[] }>('/v1/sites?limit=100')
  const preview = usePreview(useMemo(() => filterOf(form.filter), [form.filter]))
  const features = useMemo(() => incidentFeatures(preview.incidents), [preview.incidents])
  const submit = (event: Event) => {
    event.preventDefault()
    void run(() => onSave(form))
  }
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
              value={form.name}
              onInput={({ currentTarget }) => change({ name: currentTarget.value })}
            />
          </Field>
          <ChannelFields form={form} before={shownAddress} onChange={change} />
          <Field label="Note to yourself" wide>
            <input
              maxLength={1000}
              value={form.description}
              onInput={({ currentTarget }) => change({ description: currentTarget.value })}
            />
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
          <button type="submit" class="button primary" disabled={isBusy || form.events.length === 0}>
            {action}
          </button>
          <button type="button" class="button" onClick={onCancel}>
            Cancel
          </button>
          {form.events.length === 0 && <span class="quiet">Choose at least one event to send.</span>}
        </div>
      </div>
    </form>
  )
}
