import { startPointField } from './point-field.ts'
import { sendWithoutLeaving } from './send-form.ts'
import { readWords } from './words.ts'

/** Improves the form that the page has, and each that the service answers with. */
function improve(): void {
  const form = document.querySelector<HTMLFormElement>('.report form')
  if (form === null) return
  const words = readWords(form)
  startPointField(form, words)
  sendWithoutLeaving(form, words, improve)
}

improve()
