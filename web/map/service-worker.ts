import { currentView } from './view/current-view.ts'

/** Registers the worker that keeps the last pages for times without a connection. */
export function registerServiceWorker(): void {
  // Browsers offer it to secure pages only; a page inside another site leaves nothing behind.
  if (!('serviceWorker' in navigator) || currentView.get().embed) return
  const register = () =>
    navigator.serviceWorker
      .register('/service-worker.js')
      .catch((error: unknown) => console.info('The page cannot be kept for later:', error))
  if (document.readyState === 'complete') void register()
  else addEventListener('load', register, { once: true })
}
