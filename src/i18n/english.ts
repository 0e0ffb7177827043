import about from './catalogues/en/about.json' with { type: 'json' }
import alerts from './catalogues/en/alerts.json' with { type: 'json' }
import areas from './catalogues/en/areas.json' with { type: 'json' }
import common from './catalogues/en/common.json' with { type: 'json' }
import filters from './catalogues/en/filters.json' with { type: 'json' }
import map from './catalogues/en/map.json' with { type: 'json' }
import page from './catalogues/en/page.json' with { type: 'json' }
import panel from './catalogues/en/panel.json' with { type: 'json' }
import report from './catalogues/en/report.json' with { type: 'json' }
import share from './catalogues/en/share.json' with { type: 'json' }
import status from './catalogues/en/status.json' with { type: 'json' }
import timeline from './catalogues/en/timeline.json' with { type: 'json' }

/** The areas of the interface, each a file. */
export const ENGLISH = { about, alerts, areas, common, filters, map, page, panel, report, share, status, timeline }

type Catalogues = typeof ENGLISH
export type Area = keyof Catalogues

/** A key is its area and its name in the area's file, such as `panel.empty`. */
export type MessageKey = {
  [Name in Area]: `${Name}.${Exclude<keyof Catalogues[Name], `_${string}`> & string}`
}[Area]
