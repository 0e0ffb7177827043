const EMAIL = /[\p{L}\p{N}._%+-]{1,64}@[\p{L}\p{N}-]{1,63}(?:\.[\p{L}\p{N}-]{1,63}){1,4}/gu
/** Seven digits and more, as telephone numbers are written; a date or a sum has separators too. */
const NUMBER = /\+?\d(?:[\s().-]?\d){8,14}/g

/** The text without e-mail addresses and telephone numbers: a summary is published one day. */
export function withoutContacts(text: string): string {
  return text.replaceAll(EMAIL, '[contact]').replaceAll(NUMBER, '[number]')
}
