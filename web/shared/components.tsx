import type { ComponentChildren } from 'preact'
import { useState } from 'preact/hooks'
import type { Severity } from '../../src/domain/taxonomy.ts'
import { t } from './language.ts'

const PATHS = {
  search:
    'M10.5 4a6.5 6.5 0 1 0 4.1 11.5l4.5 4.5 1.4-1.4-4.5-4.5A6.5 6.5 0 0 0 10.5 4m0 2a4.5 4.5 0 1 1 0 9 4.5 4.5 0 0 1 0-9',
  close: 'm6.4 5 5.6 5.6L17.6 5 19 6.4 13.4 12l5.6 5.6-1.4 1.4-5.6-5.6L6.4 19 5 17.6l5.6-5.6L5 6.4z',
  back: 'M14.7 5.3 16 6.7 10.8 12l5.2 5.3-1.3 1.4L8 12z',
  play: 'M8 5.5v13l10.5-6.5z',
  pause: 'M7 5h3.5v14H7zm6.5 0H17v14h-3.5z',
  moon: 'M12.3 3a9 9 0 1 0 8.7 11.4A7.5 7.5 0 0 1 12.3 3',
  sun: 'M12 7a5 5 0 1 0 0 10 5 5 0 0 0 0-10M11 1h2v4h-2zm0 18h2v4h-2zM1 11h4v2H1zm18 0h4v2h-4zM4.2 2.8l2.9 2.9-1.4 1.4-2.9-2.9zm14.1 14.1 2.9 2.9-1.4 1.4-2.9-2.9zM2.8 19.8l2.9-2.9 1.4 1.4-2.9 2.9zM16.9 5.7l2.9-2.9 1.4 1.4-2.9 2.9z',
  filter: 'M4 6h16v2H4zm3 5h10v2H7zm3 5h4v2h-4z',
  share: 'M12 3 7.5 7.5l1.4 1.4L11 6.8V15h2V6.8l2.1 2.1 1.4-1.4zM5 12v8h14v-8h-2v6H7v-6z',
  menu: 'M4 6h16v2H4zm0 5h16v2H4zm0 5h16v2H4z',
  locate:
    'M11 2h2v3.1a7 7 0 0 1 5.9 5.9H22v2h-3.1a7 7 0 0 1-5.9 5.9V22h-2v-3.1A7 7 0 0 1 5.1 13H2v-2h3.1A7 7 0 0 1 11 5.1zm1 5a5 5 0 1 0 0 10 5 5 0 0 0 0-10m0 3a2 2 0 1 1 0 4 2 2 0 0 1 0-4',
  road: 'M7.5 3h2L7 21H4.5zm7 0h2l3 18H17zM11 4h2v3h-2zm0 5.5h2v4h-2zm0 6.5h2v4h-2z',
  area: 'M11 2.6 3 8l2.5 11.5 11.5.9 4-10.6zm.2 2.3 7.3 5.4-2.9 7.9-8.5-.7-1.9-8.6z',
  bell: 'M12 2a1.5 1.5 0 0 0-1.5 1.5v.7A6.5 6.5 0 0 0 5.5 10.5V15L4 17v1h16v-1l-1.5-2v-4.5a6.5 6.5 0 0 0-5-6.3v-.7A1.5 1.5 0 0 0 12 2m0 4a4.5 4.5 0 0 1 4.5 4.5V16h-9v-5.5A4.5 4.5 0 0 1 12 6m-2 13a2 2 0 0 0 4 0z',
  down: 'm6 9 6 6 6-6-1.4-1.4L12 12.2 7.4 7.6z',
} as const

export function Icon({ name }: { name: keyof typeof PATHS }) {
  return (
    <svg class="icon" viewBox="0 0 24 24" width="20" height="20" aria-hidden="true">
      <path d={PATHS[name]} fill="currentColor" />
    </svg>
  )
}

/** Shows a severity by colour, size and ring; the word beside it is for screen readers. */
export function SeverityDot({ severity }: { severity: Severity }) {
  return <span class={`mark ${severity}`} aria-hidden="true" />
}

export function CopyButton({ text, children }: { text: string; children: ComponentChildren }) {
  const [feedback, setFeedback] = useState<string | null>(null)
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(text)
      setFeedback(t('common.copied'))
    } catch {
      setFeedback(t('common.copy_refused'))
    }
    setTimeout(() => setFeedback(null), 2000)
  }
  return (
    <button type="button" class="button" onClick={copy}>
      <span aria-live="polite">{feedback ?? children}</span>
    </button>
  )
}
