import type { ComponentChildren } from 'preact'
import { CopyButton } from '../shared/components.tsx'
import { Button, Dialog } from '../shared/parts/controls.tsx'
import type { FieldMessage } from '../shared/parts/request.ts'
import { numberText } from '../shared/text.ts'
import { type Failure, useAction } from './actions.ts'
import { addressOf, show, type ViewName } from './view.ts'

interface LinkProperties {
  readonly view: ViewName
  readonly query?: Readonly<Record<string, string>>
  readonly class?: string
  readonly isCurrent?: boolean
  readonly children: ComponentChildren
}

/** A link to a part of the console: followed within the page, or opened in another tab. */
export function Link({ view, query = {}, class: className, isCurrent = false, children }: LinkProperties) {
  const follow = (event: MouseEvent) => {
    if (event.metaKey || event.ctrlKey || event.shiftKey || event.button !== 0) return
    event.preventDefault()
    show(view, query)
  }
  return (
    <a
      href={addressOf({ view, query })}
      class={className}
      aria-current={isCurrent ? 'page' : undefined}
      onClick={follow}
    >
      {children}
    </a>
  )
}

/** Says what was refused, and for each field what would be right. */
export function FailureNote({ failure }: { failure: Failure | null }) {
  return (
    <div role="alert" class="failure-note">
      {failure !== null && (
        <>
          <p>
            {failure.message}
            {failure.fields.length === 1 && suggestionText(failure.fields[0]!)}
          </p>
          {failure.fields.length > 1 && (
            <ul>
              {failure.fields.map((field) => (
                <li key={`${nameOf(field)} ${field.message}`}>
                  {nameOf(field) !== '' && <code>{nameOf(field)}</code>} {field.message}
                  {suggestionText(field)}
                </li>
              ))}
            </ul>
          )}
        </>
      )}
    </div>
  )
}

function nameOf({ pointer, parameter }: FieldMessage): string {
  return (pointer ?? parameter ?? '').replace(/^\//, '')
}

function suggestionText({ did_you_mean: names = [] }: FieldMessage): string {
  return names.length === 0 ? '' : ` Did you mean ${names.join(' or ')}?`
}

interface ConfirmDialogProperties {
  readonly title: string
  /** Says what happens then. */
  readonly children: ComponentChildren
  readonly action: string
  readonly isDangerous?: boolean
  readonly onConfirm: () => Promise<unknown>
  readonly onClose: () => void
}

/** Asks before something that cannot be taken back. */
export function ConfirmDialog({
  title,
  children,
  action,
  isDangerous = false,
  onConfirm,
  onClose,
}: ConfirmDialogProperties) {
  const { isBusy, failure, run } = useAction()
  return (
    <Dialog title={title} onClose={onClose}>
      <div class="dialog-body">
        {children}
        <FailureNote failure={failure} />
        <div class="row-of-buttons">
          <Button
            class={isDangerous ? 'button danger' : 'button primary'}
            label={action}
            disabled={isBusy}
            onClick={() => run(onConfirm)}
          />
          <Button label="Cancel" data-first onClick={onClose} />
        </div>
      </div>
    </Dialog>
  )
}

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

/** Code or JSON that scrolls within itself. */
export function CodeBlock({ label, text }: { label: string; text: string }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard
    <section class="code" tabIndex={0} aria-label={label}>
      <pre>
        <code>{text}</code>
      </pre>
    </section>
  )
}

interface TabsProperties<Name extends string> {
  readonly label: string
  readonly options: Readonly<Record<Name, string>>
  readonly chosen: Name
  readonly onChoose: (name: Name) => void
}

/** A choice of one, as a row of buttons. */
export function Tabs<Name extends string>({ label, options, chosen, onChoose }: TabsProperties<Name>) {
  return (
    <fieldset class="choices">
      <legend class="hidden">{label}</legend>
      {(Object.keys(options) as Name[]).map((name) => (
        <button
          key={name}
          type="button"
          class="choice-button"
          aria-pressed={name === chosen}
          onClick={() => onChoose(name)}
        >
          {options[name]}
        </button>
      ))}
    </fieldset>
  )
}

export function watchesText(watches: number): string {
  if (watches === 0) return 'no watch'
  return watches === 1 ? 'one watch' : `${numberText(watches)} watches`
}
