import { isAlert } from '../../deliveries/browsers/browser-watches.ts'
import { linkToken } from '../../deliveries/channels/email-target.ts'
import { browserAlertOf } from '../../deliveries/channels/push/push-target.ts'
import { addressOf } from '../../deliveries/send/channel-message.ts'
import type { Watch } from '../../domain/watch.ts'
import { parseAlertFilter } from '../../filter/filter/alert-filter.ts'
import type { Geography } from '../../geo/geography.ts'
import type { Translate } from '../../i18n/translate.ts'
import { alertText } from './area-text.ts'

export interface ShownAlert {
  readonly area: string
  readonly since: string
  readonly link: string
}

/** What a browser is shown of an alert of its own; null for a watch of an account. */
export function alertOfBrowser(watch: Watch, publicUrl: string, geography: Geography, t: Translate): ShownAlert | null {
  const alert = isAlert(watch) ? browserAlertOf(addressOf(watch.secrets)) : null
  if (alert === null) return null
  return {
    area: areaOf(watch, geography, t) ?? alert.label,
    since: new Date(watch.createdAt).toISOString(),
    link: `${publicUrl}/alerts/${linkToken(watch.id, alert.key)}`,
  }
}

/**
 * In the language of the page; null for an incident that is followed, or if the filter names a
 * place no more.
 */
function areaOf({ filter: { given } }: Watch, geography: Geography, t: Translate): string | null {
  const filter = parseAlertFilter(JSON.parse(given), '', geography.places)
  if ('errors' in filter || filter.value.incidents !== null) return null
  return alertText({ ...filter.value, incidents: null }, geography, t)
}
