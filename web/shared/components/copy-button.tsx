import type { ComponentChildren } from 'preact'
import { useState } from 'preact/hooks'

export function CopyButton({ text, children }: { text: string; children: ComponentChildren }) {
  const [feedback, setFeedback] = useState<string | null>(null)
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(text)
      setFeedback('Copied')
    } catch {
      setFeedback('Not allowed: select and copy by hand')
    }
    setTimeout(() => setFeedback(null), 2000)
  }
  return (
    <button type="button" class="button" onClick={copy}>
      <span aria-live="polite">{feedback ?? children}</span>
    </button>
  )
}
