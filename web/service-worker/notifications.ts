import type { WorkerScope } from './worker-scope.ts'

/** The service's message, as `src/deliveries/channels/web-push.ts` writes it. */
interface PushedNotification {
  readonly title: string
  readonly body: string
  readonly lang?: string
  /** One for each incident: a correction or a withdrawal replaces what is shown. */
  readonly tag: string
  /** The page of the incident. */
  readonly navigate: string
  /** Buttons, in browsers that show such. */
  readonly actions?: readonly { readonly action: string; readonly title: string; readonly navigate: string }[]
}

/** A browser that is sent something and shows nothing loses its subscription. */
const UNREADABLE: PushedNotification = {
  title: 'Incident Feed',
  body: 'There is something new. Open the map to see it.',
  tag: 'unreadable',
  navigate: '/',
}

export function readNotification(text: string | undefined): PushedNotification {
  try {
    const { notification } = JSON.parse(text ?? '') as { notification: PushedNotification }
    const { title, body, tag, navigate } = notification
    return [title, body, tag, navigate].every((each) => typeof each === 'string') ? notification : UNREADABLE
  } catch {
    return UNREADABLE
  }
}

export async function showNotification(scope: WorkerScope, text: string | undefined): Promise<void> {
  const { title, body, lang = 'en', tag, navigate, actions = [] } = readNotification(text)
  await scope.registration.showNotification(title, {
    body,
    lang,
    tag,
    // A correction must be noticed too.
    renotify: true,
    icon: '/icon-192.png',
    badge: '/icon-192.png',
    actions: actions.map(({ action, title }) => ({ action, title })),
    data: { navigate, actions },
  })
}

/**
 * Shows the incident, or what a button leads to, in a page that is open on it already, or in a new
 * one. Only pages of this service.
 */
export async function openNotification(scope: WorkerScope, data: unknown, action = ''): Promise<void> {
  const address = addressOf(scope, actionIn(data, action) ?? data)
  const pages = await scope.clients.matchAll({ type: 'window', includeUncontrolled: true })
  const open = pages.find(({ url }) => url === address)
  await (open === undefined ? scope.clients.openWindow(address) : open.focus())
}

function actionIn(data: unknown, name: string): unknown {
  const { actions } = (data ?? {}) as { actions?: PushedNotification['actions'] }
  return actions?.find(({ action }) => action === name)
}

/** The public address may differ from the one that this browser uses: only the path counts. */
function addressOf(scope: WorkerScope, data: unknown): string {
  const { origin } = scope.location
  const { navigate } = (data ?? {}) as { navigate?: unknown }
  const url = typeof navigate === 'string' ? URL.parse(navigate, origin) : null
  return !url?.pathname.startsWith('/') ? `${origin}/` : `${origin}${url.pathname}${url.search}`
}
