/** Letters of Hausa, Yoruba and Igbo that Unicode takes for letters of their own, without a decomposition. */
const PLAIN: Readonly<Record<string, string>> = {
  ɓ: 'b',
  ɗ: 'd',
  ƙ: 'k',
  ƴ: 'y',
  ŋ: 'n',
  ɛ: 'e',
  ɔ: 'o',
  ǝ: 'e',
  ı: 'i',
}

/** In lower case, without accents, hooks and apostrophes: `Jema’a` is `jemaa`. */
export function foldAccents(text: string): string {
  // Most texts are ASCII, and there are thousands of names at the start.
  if (/^[a-z0-9 /.-]*$/.test(text)) return text
  return text
    .normalize('NFKD')
    .toLowerCase()
    .replace(/[ɓɗƙƴŋɛɔǝı]/g, (letter) => PLAIN[letter] ?? letter)
    .replace(/[\p{M}'’‘ʼʻ`´]/gu, '')
}
