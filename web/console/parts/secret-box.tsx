import { CopyButton } from '../../shared/components/copy-button.tsx'

/** A key or a secret that is shown once. */
export function SecretBox({ label, secret, children }: { label: string; secret: string; children: string }) {
  return (
    <div class="secret-box">
      <p>
        <strong>{label}</strong> {children}
      </p>
      <div class="secret-line">
        <code class="secret">{secret}</code>
        <CopyButton text={secret}>Copy</CopyButton>
      </div>
    </div>
  )
}
