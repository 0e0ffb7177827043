import { useEffect, useRef, useState } from 'preact/hooks'
import { Icon } from '../../../shared/components.tsx'
import { t } from '../../../shared/language.ts'
import { useStore } from '../../../shared/store.ts'
import { visibleBox } from '../../data/current-question.ts'
import { initialData } from '../../initial-data.ts'
import { currentView } from '../../view/current-view.ts'
import { alertAddress } from './alert-address.ts'
import { AreaTool } from './area-tool.tsx'
import { NearMe } from './near-me.tsx'
import { RoadPlanner } from './road-planner.tsx'

const TOOLS = {
  near: { icon: 'locate', label: 'map.near_title' },
  road: { icon: 'road', label: 'map.road_title' },
  polygon: { icon: 'area', label: 'map.area_title' },
} as const
type Tool = keyof typeof TOOLS

/**
 * Buttons over the map: near me, along a road and a drawn area, each with a panel, and alerts about
 * what the map shows.
 */
export function PlaceTools() {
  const view = useStore(currentView)
  const [open, setOpen] = useState<Tool | null>(null)
  const box = useRef<HTMLDivElement>(null)
  useEffect(() => {
    if (open === null) return
    const close = (event: KeyboardEvent) => {
      if (event.key !== 'Escape' || event.defaultPrevented) return
      setOpen(null)
      box.current?.querySelector('button')?.focus()
    }
    addEventListener('keydown', close)
    return () => removeEventListener('keydown', close)
  }, [open])
  return (
    <div class="place-tools" ref={box}>
      <div class="tool-buttons">
        {(Object.keys(TOOLS) as Tool[]).map((tool) => (
          <button
            key={tool}
            type="button"
            aria-expanded={open === tool}
            aria-label={t(TOOLS[tool].label)}
            title={t(TOOLS[tool].label)}
            data-on={view[tool] !== null}
            onClick={() => setOpen(open === tool ? null : tool)}
          >
            <Icon name={TOOLS[tool].icon} />
          </button>
        ))}
        {initialData.alerts && <AlertLink />}
      </div>
      {open !== null && (
        <section class="tool-panel" aria-label={t(TOOLS[open].label)}>
          <button type="button" class="icon-button" onClick={() => setOpen(null)} aria-label={t('map.tool_close')}>
            <Icon name="close" />
          </button>
          {open === 'near' ? <NearMe /> : open === 'road' ? <RoadPlanner /> : <AreaTool />}
        </section>
      )}
    </div>
  )
}

/** Leads to the page that asks for an e-mail address, with the area that the map shows. */
function AlertLink() {
  const view = useStore(currentView)
  const box = useStore(visibleBox)
  const label = t('page.alerts')
  return (
    <a class="tool-link" href={alertAddress(view, box, document.documentElement.lang)} aria-label={label} title={label}>
      <Icon name="bell" />
    </a>
  )
}
