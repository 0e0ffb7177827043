/** The parts of a service worker's scope that are used; the DOM's types have none of them. */
export interface WorkerScope {
  /** Written before the script by the server: the paths without which the page shows nothing. */
  readonly NEEDED_FILES: readonly string[]
  readonly location: Location
  readonly clients: {
    matchAll(options: { type: 'window'; includeUncontrolled: true }): Promise<readonly OpenPage[]>
    openWindow(url: string): Promise<unknown>
  }
  readonly registration: {
    showNotification(title: string, options: object): Promise<void>
    /** Not in every browser. */
    readonly pushManager?: {
      getSubscription(): Promise<Subscription | null>
      subscribe(options: { userVisibleOnly: true; applicationServerKey: string }): Promise<Subscription>
    }
  }
  addEventListener(type: 'install' | 'activate', listener: (event: ExtendableEvent) => void): void
  addEventListener(type: 'fetch', listener: (event: FetchEvent) => void): void
  addEventListener(type: 'push', listener: (event: PushEvent) => void): void
  addEventListener(type: 'pushsubscriptionchange', listener: (event: SubscriptionChangeEvent) => void): void
  addEventListener(type: 'notificationclick', listener: (event: NotificationEvent) => void): void
}

export interface Subscription {
  readonly endpoint: string
  toJSON(): unknown
}

interface OpenPage {
  readonly url: string
  focus(): Promise<unknown>
}

interface ExtendableEvent {
  waitUntil(work: Promise<unknown>): void
}

interface PushEvent extends ExtendableEvent {
  readonly data: { text(): string } | null
}

/** Most browsers name neither. */
interface SubscriptionChangeEvent extends ExtendableEvent {
  readonly oldSubscription?: Subscription | null
  readonly newSubscription?: Subscription | null
}

interface NotificationEvent extends ExtendableEvent {
  /** Empty for a click beside the buttons. */
  readonly action: string
  readonly notification: { readonly data: unknown; close(): void }
}

interface FetchEvent extends ExtendableEvent {
  readonly request: Request
  respondWith(response: Promise<Response>): void
}
