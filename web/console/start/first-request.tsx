import { useState } from 'preact/hooks'
import { CopyButton } from '../../shared/components/copy-button.tsx'
import { useStore } from '../../shared/store.ts'
import { CodeBlock } from '../parts/code-block.tsx'
import { Tabs } from '../parts/tabs.tsx'
import { failureOf } from '../parts/use-action.ts'
import { newKey } from './new-key.ts'
import { type Answer, runRequest } from './run-request.ts'
import { FIRST_PATH, firstRequestIn, LANGUAGES, type Language } from './samples.ts'

const PLACEHOLDER = 'YOUR_KEY'

/** The first request in five languages, and what the service answers to it. */
export function FirstRequest() {
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
        <button type="button" class="button primary" disabled={isBusy} onClick={run}>
          Run it
        </button>
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
