import { useEffect, useMemo } from 'preact/hooks'
import { SOURCE_CLASS_DESCRIPTIONS, SOURCE_CLASSES, type SourceClass } from '../../../../src/domain/publishers.ts'
import { useStore } from '../../../shared/store.ts'
import { showToast } from '../../decisions/toasts.ts'
import { classifyPublisher, publisherEntries, readPublishers, reliabilityWith } from '../../report/publishers.ts'
import { hasScope } from '../../session.ts'

/**
 * The class of a publisher; an admin changes it here, for every confidence computed from then on.
 */
export function PublisherClass({ publisher }: { publisher: string }) {
  const entries = useStore(publisherEntries)
  const isAdmin = hasScope('admin')
  useEffect(() => {
    if (isAdmin && publisherEntries.get() === null) readPublishers().catch(report)
  }, [isAdmin])
  const kind = useMemo(() => reliabilityWith(entries)(publisher), [entries, publisher])
  if (!isAdmin)
    return (
      <span class="quiet" title={SOURCE_CLASS_DESCRIPTIONS[kind]}>
        {kind}
      </span>
    )
  const choose = (next: SourceClass) =>
    classifyPublisher(publisher, next).then(
      () => showToast('done', `${publisher} is ${next} from now on. Incidents keep theirs until their next change.`),
      report,
    )
  return (
    <select
      class="class-select"
      aria-label={`Class of ${publisher}`}
      title={SOURCE_CLASS_DESCRIPTIONS[kind]}
      value={kind}
      onChange={(event) => void choose(event.currentTarget.value as SourceClass)}
    >
      {SOURCE_CLASSES.map((each) => (
        <option key={each} value={each}>
          {each}
        </option>
      ))}
    </select>
  )
}

function report(error: unknown): void {
  showToast('failed', error instanceof Error ? error.message : String(error))
}
