import { useStore } from '../../shared/store.ts'
import { place } from '../view.ts'
import { SiteLists } from './site-lists.tsx'
import { SitePage } from './site-page.tsx'
import { UploadSites } from './upload/upload-sites.tsx'

/** The lists of sites, one of them, or the form; as the address says. */
export function SitesView() {
  const { sites } = useStore(place).query
  if (sites === undefined) return <SiteLists />
  return sites === 'new' ? <UploadSites /> : <SitePage key={sites} id={sites} />
}
