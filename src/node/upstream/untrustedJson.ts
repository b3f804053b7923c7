/** Parses JSON from outside without loss. Its depth is checked before a recursive parser reads it. */
import { parseJson } from '#contract/wire/json.ts'

const maxDepth = 100

export class MalformedJson extends Error {
  override name = 'MalformedJson'
}

/** Parses untrusted text. @throws MalformedJson with a reason that does not quote the text */
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
  for (let at = 0; at < text.length; at++) {
    const char = text.charCodeAt(at)
    if (char === 0x22) at = endOfString(text, at + 1)
    else if (char === 0x5b || char === 0x7b) deepest = Math.max(deepest, ++depth)
    else if (char === 0x5d || char === 0x7d) depth--
  }
  return deepest
}

/**
 * About how many values a text of JSON has: its commas and opening brackets outside of strings. Parsed, each takes many times
 * its characters, so a text that is within a limit of bytes can still fill the memory.
 */
export function countValues(text: string): number {
  let count = 1
  for (let at = 0; at < text.length; at++) {
    const char = text.charCodeAt(at)
    if (char === 0x22) at = endOfString(text, at + 1)
    else if (char === 0x2c || char === 0x5b || char === 0x7b) count++
  }
  return count
}

/** The position of the string's closing quote, or the end of the text if there is none. */
function endOfString(text: string, from: number): number {
  let end = text.indexOf('"', from)
  while (end >= 0 && isEscaped(text, end)) end = text.indexOf('"', end + 1)
  return end < 0 ? text.length : end
}

function isEscaped(text: string, quote: number): boolean {
  let backslashes = 0
  while (text.charCodeAt(quote - 1 - backslashes) === 0x5c) backslashes++
  return backslashes % 2 === 1
}

/** True where an object has a key that could reach a prototype. */
export function hasPrototypeKey(value: unknown): boolean {
  if (value === null || typeof value !== 'object') return false
  return Object.entries(value).some(([key, item]) => key === '__proto__' || hasPrototypeKey(item))
}
