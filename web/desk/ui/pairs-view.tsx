import { useEffect } from 'preact/hooks'
import { Button } from '../../shared/parts/controls.tsx'
import { useStore } from '../../shared/store.ts'
import { percentText } from '../../shared/text.ts'
import type { DeskIncident } from '../desk-api.ts'
import {
  choosePair,
  currentPair,
  currentPairKey,
  loadMorePairs,
  openPairs,
  type Pair,
  type PairListName,
  pairElementId,
  pairKey,
  pairList,
  reloadPairs,
} from '../pairs.ts'
import { dismissPair, offerPair } from '../undo.ts'
import { dialog, showReport } from '../view.ts'
import { differencesOf, STATUS_WORDS } from '../words.ts'
import { HelpDialog, MergeDialog } from './dialogs.tsx'
import { Comparison, MatchReasons } from './duplicates.tsx'

const LISTS: Readonly<Record<PairListName, { readonly label: string; readonly empty: string }>> = {
  open: { label: 'To be compared', empty: 'No pair waits for a decision.' },
  dismissed: { label: 'Told apart', empty: 'No pair was told apart.' },
}

/** Pairs of incidents across data sets that may be one event. */
export function PairsView() {
  const { name, items, isLoading, cursor, message } = useStore(pairList)
  useEffect(() => openPairs('open'), [])
  return (
    <main class="admin">
      <h1>Duplicates</h1>
      <p class="quiet">
        Events of two data sets that may be one, as imports have found them. Merge them, or tell them apart: then they
        are offered again only if more speaks for one event.
      </p>
      <fieldset class="pair-lists">
        <legend class="hidden">Which pairs</legend>
        {(Object.keys(LISTS) as PairListName[]).map((list) => (
          <Button
            class="button small"
            label={LISTS[list].label}
            key={list}
            aria-pressed={list === name}
            onClick={() => openPairs(list)}
          />
        ))}
      </fieldset>
      <ul class="proposals">
        {items.map((pair) => (
          <li key={pairKey(pair)}>
            <PairCard pair={pair} />
          </li>
        ))}
      </ul>
      {message !== '' && (
        <p class="form-message" role="alert">
          {message} <Button class="text-button" label="Try again" onClick={reloadPairs} />
        </p>
      )}
      {isLoading && items.length === 0 && <p class="quiet">Loading.</p>}
      {!isLoading && message === '' && items.length === 0 && <p class="quiet">{LISTS[name].empty}</p>}
      {cursor !== null && items.length > 0 && <Button label="Show more" disabled={isLoading} onClick={loadMorePairs} />}
      <PairDialogs />
    </main>
  )
}

function PairCard({ pair }: { pair: Pair }) {
  const { incident, other, score, reasons, dismissed_at } = pair
  const key = pairKey(pair)
  const isCurrent = useStore(currentPairKey) === key
  const merge = () => {
    choosePair(pair)
    dialog.set('merge')
  }
  return (
    <article
      id={pairElementId(key)}
      class={`candidate pair ${isCurrent ? 'current' : ''}`}
      tabIndex={-1}
      aria-label={`${percentText(score)} alike`}
      aria-current={isCurrent ? 'true' : undefined}
      onFocusCapture={() => choosePair(pair)}
    >
      <p class="candidate-head">
        <strong>{percentText(score)} alike</strong>
      </p>
      <MatchReasons reasons={reasons} />
      <div class="pair-sides">
        <Side incident={incident} />
        <Side incident={other} />
      </div>
      <Comparison differences={differencesOf(incident, other).filter(({ field }) => field !== 'summary')} />
      <div class="row-of-buttons">
        {dismissed_at === null ? (
          <>
            <Button class="button small" label="Merge" shortcut="m" onClick={merge} />
            <Button class="button small" label="Not the same" shortcut="r" onClick={() => void dismissPair(pair)} />
          </>
        ) : (
          <Button class="button small" label="Offer again" onClick={() => void offerPair(pair)} />
        )}
      </div>
    </article>
  )
}

function Side({ incident }: { incident: DeskIncident }) {
  return (
    <div>
      <p class="candidate-head">
        <span class={`status ${incident.status}`}>{STATUS_WORDS[incident.status]}</span>
        <span class="quiet">{incident.dataset ?? 'from the desk'}</span>
        <button type="button" class="text-button" onClick={() => showReport(incident.id)}>
          Open<span class="hidden">: {incident.summary}</span>
        </button>
      </p>
      <p class="candidate-summary">{incident.summary}</p>
    </div>
  )
}

/** The dialogs of the list of pairs: merging, and the keys. */
function PairDialogs() {
  const name = useStore(dialog)
  const key = useStore(currentPairKey)
  if (name === 'help') return <HelpDialog />
  const pair = currentPair()
  return name === 'merge' && pair !== null ? <MergeDialog key={key} incident={withOther(pair)} /> : null
}

/** The incident with the other one as its only possible duplicate, as the dialog takes it. */
function withOther({ incident, other, score, reasons }: Pair): DeskIncident {
  const { id, status, type, state, lga, occurred_at, summary } = other
  const candidate = { id, score, reasons, status, type, state, lga, occurred_at, summary }
  return { ...incident, desk: { ...incident.desk, possible_duplicates: [candidate] } }
}
