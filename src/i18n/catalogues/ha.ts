import areas from './ha/areas.json' with { type: 'json' }
import common from './ha/common.json' with { type: 'json' }
import filters from './ha/filters.json' with { type: 'json' }
import map from './ha/map.json' with { type: 'json' }
import page from './ha/page.json' with { type: 'json' }
import panel from './ha/panel.json' with { type: 'json' }
import share from './ha/share.json' with { type: 'json' }
import timeline from './ha/timeline.json' with { type: 'json' }

export const browserCatalogues = { areas, common, filters, map, page, panel, share, timeline }
