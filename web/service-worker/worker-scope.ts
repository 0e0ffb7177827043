/** The parts of a service worker's scope that are used; the DOM's types have none of them. */
export interface WorkerScope {
  /** Written before the script by the server: the paths without which the page shows nothing. */
  readonly NEEDED_FILES: readonly string[]
  readonly location: Location
  readonly clients: {
    matchAll(options: { type: 'window'; includeUncontrolled: true }): Promise<readonly { readonly url: string }[]>
  }
  addEventListener(type: 'install' | 'activate', listener: (event: ExtendableEvent) => void): void
  addEventListener(type: 'fetch', listener: (event: FetchEvent) => void): void
}

interface ExtendableEvent {
  waitUntil(work: Promise<unknown>): void
}

interface FetchEvent extends ExtendableEvent {
  readonly request: Request
  respondWith(response: Promise<Response>): void
}
