import { request } from '../../shared/parts/request.ts'
import { ConfirmDialog } from '../parts/confirm-dialog.tsx'
import type { SiteList } from './site-list.ts'

interface DeleteSitesProperties {
  readonly list: SiteList
  readonly onClose: () => void
  readonly onDeleted: () => void
}

export function DeleteSites({ list, onClose, onDeleted }: DeleteSitesProperties) {
  return (
    <ConfirmDialog
      title={`Delete ${list.name}`}
      action="Delete it"
      isDangerous
      onClose={onClose}
      onConfirm={async () => {
        await request('DELETE', `/v1/sites/${list.id}`)
        onDeleted()
      }}
    >
      <p>
        {list.watches > 0
          ? 'Watches use it: it can be deleted once they look somewhere else, or are deleted themselves.'
          : 'Its sites are gone for good, and requests that name it are refused.'}
      </p>
    </ConfirmDialog>
  )
}
