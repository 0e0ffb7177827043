import about from './about.json' with { type: 'json' }
import alerts from './alerts.json' with { type: 'json' }
import { browserCatalogues } from './browser.ts'
import messages from './messages.json' with { type: 'json' }
import report from './report.json' with { type: 'json' }
import status from './status.json' with { type: 'json' }

export const catalogues = { ...browserCatalogues, about, alerts, messages, report, status }
