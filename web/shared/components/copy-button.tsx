import type { ComponentChildren } from 'preact'
import { useState } from 'preact/hooks'

export function CopyButton({ text, children }: { text: string; children: ComponentChildren }) {
  const [said, setSaid] = useState<string | null>(null)
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(text)
      setSaid('Copied')
    } catch {
      setSaid('Not allowed: select and copy by hand')
    }
    setTimeout(() => setSaid(null), 2000)
  }
  return (
    <button type="button" class="button" onClick={copy}>
      <span aria-live="polite">{said ?? children}</span>
    </button>
  )
}
