import areas from './yo/areas.json' with { type: 'json' }
import common from './yo/common.json' with { type: 'json' }
import filters from './yo/filters.json' with { type: 'json' }
import map from './yo/map.json' with { type: 'json' }
import page from './yo/page.json' with { type: 'json' }
import panel from './yo/panel.json' with { type: 'json' }
import share from './yo/share.json' with { type: 'json' }
import timeline from './yo/timeline.json' with { type: 'json' }

export const browserCatalogues = { areas, common, filters, map, page, panel, share, timeline }
