import type { ComponentChildren } from 'preact'
import { useState } from 'preact/hooks'
import { t } from '../language.ts'

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
