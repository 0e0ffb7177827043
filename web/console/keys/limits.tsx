import type { LimitName } from '../../../src/domain/accounts.ts'
import { numberText } from '../../shared/format.ts'
import type { Person, Quota } from '../person.ts'

/** Names of limits for people; one that this page does not know yet goes by its own name. */
const NAMES: Readonly<Record<LimitName, string>> = {
  requests_per_minute: 'Requests a minute',
  publishable_requests_per_minute: 'Requests a minute with publishable keys',
  keys: 'Keys',
  watches: 'Watches',
  areas: 'Saved areas',
  site_lists: 'Site lists',
  streams: 'Open streams',
  watch_tests_per_minute: 'Test messages a minute',
  previews_per_minute: 'Previews a minute',
  site_uploads_per_minute: 'Uploads of sites a minute',
}

/** Every limit with what is used of it. */
export function Limits({ quotas }: { quotas: Person['quotas'] }) {
  return (
    <section class="panel" aria-labelledby="limits-heading">
      <h2 id="limits-heading">Limits</h2>
      <dl class="limits">
        {(Object.entries(quotas) as [LimitName, Quota][]).map(([name, { limit, used }]) => {
          const label = NAMES[name] ?? name.replaceAll('_', ' ')
          return (
            <div key={name}>
              <dt>{label}</dt>
              <dd>
                <span>
                  {numberText(used)} of {numberText(limit)}
                </span>
                <meter min={0} max={Math.max(1, limit)} value={used} aria-label={label} class="confidence" />
              </dd>
            </div>
          )
        })}
      </dl>
      <p class="quiet">
        They count for the account, over all its keys. Every answer says what is left: <a href="/docs/limits">limits</a>
        .
      </p>
    </section>
  )
}
