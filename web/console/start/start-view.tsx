import { useStore } from '../../shared/store.ts'
import { Link } from '../parts/link.tsx'
import { SecretBox } from '../parts/secret-box.tsx'
import { FirstRequest } from './first-request.tsx'
import { newKey } from './new-key.ts'

/** The first minute: the key, a request with it, and where to go from there. */
export function StartView() {
  const key = useStore(newKey)
  return (
    <>
      <h1>{key === null ? 'Start' : 'You are in'}</h1>
      {key !== null && (
        <div class="panel">
          <SecretBox label="Your key." secret={key}>
            It is shown only now: store it before you close this page. You can make another one under “Keys and usage”.
          </SecretBox>
        </div>
      )}
      <FirstRequest />
      <section class="panel" aria-labelledby="next-steps">
        <h2 id="next-steps">Next</h2>
        <ul class="next-steps">
          <li>
            <Link view="watches" query={{ watch: 'new' }}>
              Make a watch
            </Link>
            : draw an area, and be sent every incident in it.
          </li>
          <li>
            <Link view="live">Watch the stream</Link> as it comes.
          </li>
          <li>
            <Link view="keys">Make a key for each program</Link>, and see what you have used.
          </li>
          <li>
            <a href="/docs">Read the guides</a>: paging, filters, webhooks, streaming, errors, limits.
          </li>
        </ul>
      </section>
    </>
  )
}
