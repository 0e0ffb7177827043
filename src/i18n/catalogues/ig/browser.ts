import areas from './areas.json' with { type: 'json' }
import common from './common.json' with { type: 'json' }
import filters from './filters.json' with { type: 'json' }
import map from './map.json' with { type: 'json' }
import page from './page.json' with { type: 'json' }
import panel from './panel.json' with { type: 'json' }
import share from './share.json' with { type: 'json' }
import timeline from './timeline.json' with { type: 'json' }

export const browserCatalogues = { areas, common, filters, map, page, panel, share, timeline }
