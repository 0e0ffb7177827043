import { useState } from 'preact/hooks'
import type { IssuedKey, PendingKey } from '../../client/src/generated/types.ts'
import { CopyButton } from '../shared/components.tsx'
import { Button, submits, typed } from '../shared/parts/controls.tsx'
import { RequestError, request } from '../shared/parts/request.ts'
import { createStore, useStore } from '../shared/store.ts'
import { failureOf, useAction } from './actions.ts'
import { CodeBlock, FailureNote, Link, SecretBox, Tabs } from './parts.tsx'
import { hasLeft, initialData, signInWithKey } from './person.ts'
import { FIRST_PATH, firstRequestIn, LANGUAGES, type Language } from './samples.ts'
import { addressOf, place } from './view.ts'

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

const PLACEHOLDER = 'YOUR_KEY'

/** The first request in five languages, and what the service answers to it. */
function FirstRequest() {
  const key = useStore(newKey)
  const [language, setLanguage] = useState<Language>('curl')
  const [answer, setAnswer] = useState<Answer | null>(null)
  const [message, setMessage] = useState<string | null>(null)
  const [isBusy, setBusy] = useState(false)
  const code = firstRequestIn(language, location.origin, key ?? PLACEHOLDER)
  const run = async () => {
    setBusy(true)
    setMessage(null)
    try {
      setAnswer(await runRequest(FIRST_PATH, key))
    } catch (error) {
      setMessage(failureOf(error).message)
    }
    setBusy(false)
  }
  return (
    <section class="panel" aria-labelledby="first-request">
      <h2 id="first-request">Your first request</h2>
      <p class="quiet">
        {key === null
          ? `Put one of your keys in the place of ${PLACEHOLDER}. “Run it” uses your session.`
          : 'With your new key, ready to be copied.'}
      </p>
      <Tabs label="Language" options={LANGUAGES} chosen={language} onChoose={setLanguage} />
      <CodeBlock label={`The request in ${LANGUAGES[language]}`} text={code} />
      <div class="row-of-buttons">
        <Button class="button primary" label="Run it" disabled={isBusy} onClick={run} />
        <CopyButton text={code}>Copy</CopyButton>
      </div>
      <p role="alert" class="failure-note">
        {message}
      </p>
      <div role="status">{answer !== null && <AnswerBox answer={answer} />}</div>
    </section>
  )
}

function AnswerBox({ answer }: { answer: Answer }) {
  const { status, milliseconds, body, incidents } = answer
  return (
    <div class="answer">
      <p>
        <strong class={status < 300 ? 'good' : 'bad'}>Status {status}</strong> after {milliseconds} ms
        {incidents !== null && `, ${incidents === 1 ? 'one incident' : `${incidents} incidents`}`}
        {incidents === 0 && '. This service has no confirmed incident yet; the request itself works.'}
      </p>
      <CodeBlock label="The answer" text={body} />
    </div>
  )
}

/** The service's answer to a request that the page shows. */
interface Answer {
  readonly status: number
  readonly milliseconds: number
  /** JSON, laid out for people. */
  readonly body: string
  /** The number of incidents in a list; null if it is none. */
  readonly incidents: number | null
}

/** Runs a read as a program would: with the key, or with the session where it is not known. */
async function runRequest(path: string, key: string | null): Promise<Answer> {
  const started = performance.now()
  const headers: Record<string, string> = key === null ? {} : { authorization: `Bearer ${key}` }
  let response: Response
  let text: string
  try {
    response = await fetch(path, { headers, cache: 'no-store' })
    text = await response.text()
  } catch {
    throw new RequestError(0, 'unreachable', 'The service cannot be reached. Check your connection and try again.')
  }
  const milliseconds = Math.round(performance.now() - started)
  const json = parse(text)
  const list = (json as { data?: unknown } | undefined)?.data
  return {
    status: response.status,
    milliseconds,
    body: json === undefined ? text : JSON.stringify(json, null, 2),
    incidents: Array.isArray(list) ? list.length : null,
  }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** The first thing a developer sees: one field, one click, one key. */
export function SignUpView() {
  const here = addressOf(useStore(place))
  return (
    <div class="welcome">
      {useStore(hasLeft) && (
        <p class="panel" role="status">
          Your account is deleted. Nothing more is sent, and none of your keys works any more.
        </p>
      )}
      <h1>Security incidents in Nigeria, in your program</h1>
      <p>
        Confirmed incidents with place, time, casualties, sources and a confidence that says how sure it is: as a list,
        a live stream, signed webhooks and an archive.
      </p>
      {initialData.signUp === 'closed' ? (
        <p class="panel">
          The operator of this service gives out keys by hand. Ask them for one, then sign in with it.
        </p>
      ) : (
        <SignUpForm />
      )}
      <p>
        You have a key already? <a href={`/sign-in?next=${encodeURIComponent(here)}`}>Sign in</a>
      </p>
      <p class="quiet">
        Without a key: <a href="/">the map</a>, <a href="/docs">the guides</a>,{' '}
        <a href="/docs/reference">the reference</a>.
      </p>
    </div>
  )
}

function SignUpForm() {
  const [email, setEmail] = useState('')
  const [mailed, setMailed] = useState<string | null>(null)
  const key = useStore(newKey)
  const { isBusy, failure, run } = useAction()
  const submit = submits(() =>
    run(async () => {
      const outcome = await signUp(email.trim())
      if (outcome !== 'signed-in') setMailed(outcome.mailed)
    }),
  )
  if (key !== null)
    return (
      <div class="panel">
        <SecretBox label="Your key." secret={key}>
          It is shown only now: store it.
        </SecretBox>
        <FailureNote failure={failure} />
        <Button
          class="button primary"
          label="Go on to the console"
          disabled={isBusy}
          onClick={() => run(() => signInWithKey(key))}
        />
      </div>
    )
  return (
    <form class="panel sign-up" onSubmit={submit}>
      <label for="email">E-mail address</label>
      <div class="sign-up-line">
        <input
          id="email"
          type="email"
          autocomplete="email"
          required
          maxLength={254}
          placeholder="you@example.org"
          {...typed(email, setEmail)}
        />
        <Button class="button primary" type="submit" label="Get my key" disabled={isBusy} />
      </div>
      <FailureNote failure={failure} />
      <p role="status">{mailed}</p>
      <p class="quiet">
        {initialData.signUp === 'email'
          ? 'We mail you a link to your key.'
          : 'The key is on the next screen. We write to you only about your own watches.'}
      </p>
    </form>
  )
}

/** The key that was made on this page; the service does not show it a second time. */
const newKey = createStore<string | null>(null)

/** Gets a first key and signs the browser in with it. */
async function signUp(email: string): Promise<'signed-in' | { readonly mailed: string }> {
  const answer = await request<IssuedKey | PendingKey>('POST', '/v1/keys', {
    body: { email },
    idempotencyKey: crypto.randomUUID(),
  })
  if (!('key' in answer)) return { mailed: answer.detail }
  // Kept first: the account has it, even if signing in fails.
  newKey.set(answer.key)
  await signInWithKey(answer.key)
  return 'signed-in'
}
