/** The body of a request as a person reads it. */
import { parseJson, stringifyJson } from '#contract/wire/json.ts'

interface ReadableText {
  text: string
  /** Its unusual property. */
  problem?: string
}

/** JSON with indentation. Other bodies are unchanged, with a note: most receivers refuse them. */
export function readableJson(body: string): ReadableText {
  try {
    return { text: stringifyJson(parseJson(body), 2) }
  } catch (error) {
    const reason = error instanceof Error ? ` ${error.message}.` : ''
    return { text: body, problem: `The body is not valid JSON.${body === '' ? '' : reason}` }
  }
}
