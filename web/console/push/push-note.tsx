import { currentTraits, pushSupport, SUPPORT_WORDS } from '../../shared/parts/push/push-support.ts'

/** Whether this browser can show notifications, and what to do first. */
export function PushNote() {
  const support = pushSupport(currentTraits())
  return <p class={support === 'ready' ? 'push-note' : 'push-note hindered'}>{SUPPORT_WORDS[support]}</p>
}
