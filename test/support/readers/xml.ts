import { SaxesParser } from 'saxes'

export interface Element {
  readonly name: string
  readonly namespace: string
  readonly attributes: Readonly<Record<string, string>>
  readonly children: Element[]
  text: string
}

/**
 * Parses XML and throws if it is not well formed or contains a character that XML does not allow.
 */
export function parseXml(text: string): Element {
  const root: Element = { name: '', namespace: '', attributes: {}, children: [], text: '' }
  const open = [root]
  const parser = new SaxesParser({ xmlns: true })
  parser.on('error', (error) => {
    throw error
  })
  parser.on('opentag', ({ local, uri, attributes }) => {
    const values = Object.entries(attributes).map(([name, attribute]) => [name, attribute.value])
    const element: Element = {
      name: local,
      namespace: uri,
      attributes: Object.fromEntries(values),
      children: [],
      text: '',
    }
    open.at(-1)!.children.push(element)
    open.push(element)
  })
  parser.on('text', (part) => {
    open.at(-1)!.text += part
  })
  parser.on('closetag', () => open.pop())
  parser.write(text).close()
  return root.children[0]!
}

export function childNamed(element: Element, name: string): Element {
  const found = element.children.filter((child) => child.name === name)
  if (found.length !== 1) throw new Error(`${found.length} elements ${name} in ${element.name}`)
  return found[0]!
}
