import areas from './pcm/areas.json' with { type: 'json' }
import common from './pcm/common.json' with { type: 'json' }
import filters from './pcm/filters.json' with { type: 'json' }
import map from './pcm/map.json' with { type: 'json' }
import page from './pcm/page.json' with { type: 'json' }
import panel from './pcm/panel.json' with { type: 'json' }
import share from './pcm/share.json' with { type: 'json' }
import timeline from './pcm/timeline.json' with { type: 'json' }

export const browserCatalogues = { areas, common, filters, map, page, panel, share, timeline }
