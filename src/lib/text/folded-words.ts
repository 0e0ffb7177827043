import { foldAccents } from './fold-accents.ts'

/** The words of a text in lower case and without accents. */
export function foldedWords(text: string): string[] {
  return foldAccents(text).match(/[\p{L}\p{N}]+/gu) ?? []
}
