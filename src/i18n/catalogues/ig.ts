import areas from './ig/areas.json' with { type: 'json' }
import common from './ig/common.json' with { type: 'json' }
import filters from './ig/filters.json' with { type: 'json' }
import map from './ig/map.json' with { type: 'json' }
import page from './ig/page.json' with { type: 'json' }
import panel from './ig/panel.json' with { type: 'json' }
import share from './ig/share.json' with { type: 'json' }
import timeline from './ig/timeline.json' with { type: 'json' }

export const browserCatalogues = { areas, common, filters, map, page, panel, share, timeline }
