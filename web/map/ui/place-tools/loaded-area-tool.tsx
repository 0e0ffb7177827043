import type { ComponentType } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import { t } from '../../../shared/language.ts'

/** The tool is loaded once somebody opens it: most readers never draw. */
export function LoadedAreaTool() {
  const [Tool, setTool] = useState<ComponentType | null>(null)
  const [isLost, setLost] = useState(false)
  useEffect(() => {
    import('./area-tool.tsx').then(
      ({ AreaTool }) => setTool(() => AreaTool),
      () => setLost(true),
    )
  }, [])
  if (Tool !== null) return <Tool />
  return (
    <>
      <h2>{t('map.area_title')}</h2>
      <p class="tool-note" role="status">
        {t(isLost ? 'map.area_lost' : 'common.loading')}
      </p>
    </>
  )
}
