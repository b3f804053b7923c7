/** Finds the fields that a deployment's error message is about. */
import { keyFromWire, type WireNames } from '#contract/wire/naming.ts'
import { withoutEnd } from '#domain/text/withoutEnd.ts'

export interface FieldError {
  path: string
  message: string
}

/**
 * The fields of a message of either variant:
 * `Body validation failed: a.b: text; c: text; Params validation failed: …` (docs/DEPLOYMENTS.md#errors) and
 * `BAD_REQUEST: request body.x: text <type:value>` (docs/DEPLOYMENTS.md#errors-of-the-control-plane). Empty if the text names none.
 */
export function fieldErrors(message: string, names: WireNames): FieldError[] {
  const found = [...bodySections(message), ...requestBody(message)]
  return found.map(({ path, message }) => ({ path: neutralPath(path, names), message }))
}

/** The fields of a list of issues: zod's, or those of the managed `issues`. */
export function issueFields(issues: unknown, names: WireNames): FieldError[] {
  if (!Array.isArray(issues)) return []
  return issues.flatMap((issue: unknown) => {
    if (issue === null || typeof issue !== 'object' || !('path' in issue) || !('message' in issue)) return []
    const path = Array.isArray(issue.path) ? issue.path.join('.') : String(issue.path)
    return path ? [{ path: neutralPath(path, names), message: String(issue.message) }] : []
  })
}

function bodySections(message: string): FieldError[] {
  const parts = message.split(/(Body|Params|Query) validation failed: /)
  return parts.flatMap((text, at) => (parts[at - 1] === 'Body' ? splitFieldErrors(text) : []))
}

/** `a.b: text; c: text`, where a text may itself contain `; ` or `: `. */
function splitFieldErrors(text: string): FieldError[] {
  const fields: FieldError[] = []
  for (const part of withoutEnd(text, /[;\s]/).split('; ')) {
    const [, path, rest] = /^([\w$-]+(?:\.[\w$-]+)*): (.*)$/s.exec(part) ?? []
    const last = fields.at(-1)
    if (path && rest !== undefined) fields.push({ path, message: rest })
    else if (last) last.message += `; ${part}`
  }
  return fields
}

function requestBody(message: string): FieldError[] {
  const [, unknown] = /request body property can't be validated: ([\w$.-]+)/.exec(message) ?? []
  if (unknown) return [{ path: unknown, message: 'is not accepted here' }]
  const [, path, rest] = /request body\.([\w$-]+(?:(?:\.|\[)[\w$-]+\]?)*):? (.*)$/s.exec(message) ?? []
  if (!path || !rest) return []
  const dotted = path.replace(/\[(\w+)\]/g, '.$1')
  return [{ path: dotted, message: withoutValue(rest) }]
}

/** Without the value in angle brackets that a message ends with, such as ` <number:0>`. */
function withoutValue(text: string): string {
  if (!text.endsWith('>')) return text
  // The value has no other `>`. A pattern for all of it would start again at each `<`, and at each space before it.
  const from = text.lastIndexOf('>', text.length - 2) + 1
  const start = text.slice(from).search(/<\w+:/)
  return start < 0 ? text : text.slice(0, from + start).trimEnd()
}

function neutralPath(path: string, names: WireNames): string {
  return path
    .split('.')
    .map((key) => keyFromWire(key, names))
    .join('.')
}
