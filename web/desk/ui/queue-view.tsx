import { useStore } from '../../shared/store.ts'
import { useMediaQuery } from '../../shared/use-media-query.ts'
import { isReportOpen } from '../panels.ts'
import { DuplicatesPanel } from './duplicates/duplicates-panel.tsx'
import { QueuePanel } from './queue/queue-panel.tsx'
import { ReportPanel } from './report/report-panel.tsx'

/** Beside each other only if the middle keeps room for the text beside its facts. */
const THREE_COLUMNS = '(min-width: 1200px)'

export function QueueView() {
  const three = useMediaQuery(THREE_COLUMNS)
  const open = useStore(isReportOpen)
  return (
    <main class={`columns ${open ? 'report-open' : ''}`}>
      <QueuePanel />
      <ReportPanel withDuplicates={!three} />
      {three && <DuplicatesPanel />}
    </main>
  )
}
