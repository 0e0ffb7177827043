import type { JSX } from 'preact'
import { useStore } from '../../shared/store.ts'
import { type ViewName, view } from '../view.ts'
import { AccountView } from './account-view.tsx'
import { AuditView } from './admin/audit-view.tsx'
import { MembersView } from './admin/members-view.tsx'
import { PublishersView } from './admin/publishers-view.tsx'
import { SourcesView } from './admin/sources-view.tsx'
import { Bar } from './bar.tsx'
import { Dialogs } from './dialogs/dialogs.tsx'
import { FileReportView } from './file-report/file-report-view.tsx'
import { PairsView } from './pairs/pairs-view.tsx'
import { Notices } from './parts/notices.tsx'
import { Toasts } from './parts/toasts.tsx'
import { ProposalsView } from './proposals/proposals-view.tsx'
import { QueueView } from './queue-view.tsx'
import { UnplacedStoriesView } from './stories/unplaced-stories-view.tsx'

const CONTENT: Readonly<Record<ViewName, () => JSX.Element>> = {
  queue: QueueView,
  proposals: ProposalsView,
  duplicates: PairsView,
  stories: UnplacedStoriesView,
  file: FileReportView,
  sources: SourcesView,
  publishers: PublishersView,
  members: MembersView,
  audit: AuditView,
  account: AccountView,
}

export function App() {
  const name = useStore(view)
  const Content = CONTENT[name]
  return (
    <div class="desk">
      <Bar />
      <Notices />
      <Content />
      {name === 'queue' && <Dialogs />}
      <Toasts />
    </div>
  )
}
