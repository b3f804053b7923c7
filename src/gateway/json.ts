/** JSON from outside: lossless, bounded in depth before the recursive parser sees it. */
import { parseJson } from '#contract/json.ts'

const maxDepth = 100

export class MalformedJson extends Error {
  override name = 'MalformedJson'
}

/** Parses text of unknown origin. Throws MalformedJson with a reason that quotes nothing of the text. */
export function readJson(text: string): unknown {
  if (depthOf(text) > maxDepth) throw new MalformedJson(`nested deeper than ${maxDepth} levels`)
  try {
    return parseJson(text)
  } catch (error) {
    const position = error instanceof SyntaxError ? /at position \d+/.exec(error.message)?.[0] : undefined
    throw new MalformedJson(position ? `not JSON ${position}` : 'not JSON')
  }
}

/** Deepest nesting of brackets outside of strings. */
function depthOf(text: string): number {
  let depth = 0
  let deepest = 0
  let inString = false
  for (let at = 0; at < text.length; at++) {
    const char = text.charCodeAt(at)
    if (inString) {
      if (char === 0x5c) at++
      else if (char === 0x22) inString = false
    } else if (char === 0x22) inString = true
    else if (char === 0x5b || char === 0x7b) deepest = Math.max(deepest, ++depth)
    else if (char === 0x5d || char === 0x7d) depth--
  }
  return deepest
}

/** True where an object has a key that could reach a prototype. */
export function hasPrototypeKey(value: unknown): boolean {
  if (value === null || typeof value !== 'object') return false
  return Object.entries(value).some(([key, item]) => key === '__proto__' || hasPrototypeKey(item))
}
