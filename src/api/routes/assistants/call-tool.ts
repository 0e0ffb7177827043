import { type FieldError, invalidParameters, nameHints, Problem } from '../../../domain/errors.ts'
import { problemFrom } from '../../responses/problem.ts'
import type { ResourceLink, Tool, ToolArguments, ToolContext } from './tool.ts'

/**
 * Calls a tool. A fault in the arguments is a result too, so that the assistant reads the hints.
 */
export async function callTool(tool: Tool, given: ToolArguments, context: ToolContext) {
  try {
    refuseUnknown(tool, given)
    const { content, links } = await tool.call(given, context)
    return {
      content: [text(JSON.stringify(content)), ...links.map(linkContent)],
      structuredContent: content as Record<string, unknown>,
    }
  } catch (error) {
    if (!(error instanceof Problem)) context.onError(error)
    return { content: [text(sentences(problemFrom(error)))], isError: true }
  }
}

function refuseUnknown({ input }: Tool, given: ToolArguments): void {
  const known = Object.keys((input as { properties?: object }).properties ?? {})
  const unknown = Object.keys(given).find((name) => !known.includes(name))
  if (unknown === undefined) return
  const shown = unknown.slice(0, 100)
  throw invalidParameters([{ pointer: `/${shown}`, message: 'is not an argument', ...nameHints(shown, known) }])
}

/** Writes a problem as an assistant reads it: what is wrong, and what would be right. */
function sentences({ message, errors, code }: Problem): string {
  return [`${message} (${code})`, ...errors.flatMap(hintsOf)].join('\n')
}

function hintsOf({ parameter, pointer, did_you_mean, allowed, candidates }: FieldError): string[] {
  const name = parameter ?? pointer ?? ''
  if (did_you_mean) return [`${name}: did you mean ${did_you_mean.join(', ')}?`]
  if (candidates) return [`${name}: may be ${candidates.map((place) => `${place.name}, ${place.state}`).join('; ')}`]
  return allowed ? [`${name}: allowed are ${allowed.join(', ')}`] : []
}

const text = (content: string) => ({ type: 'text' as const, text: content })

const linkContent = (link: ResourceLink) => ({ type: 'resource_link' as const, ...link })
