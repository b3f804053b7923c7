/**
 * Validates a value with the error messages of deployments. They use zod 3 and this project zod 4,
 * so this file maps issues to their texts (docs/DEPLOYMENTS.md#errors).
 */
import { z } from 'zod'
import type { Issue } from './refusal.ts'

/** One body can break very many rules. */
const maxIssues = 100

type RawIssue = z.core.$ZodRawIssue

/** @returns the parsed value, or its issues */
export function check<S extends z.ZodType>(
  schema: S,
  value: unknown,
): { ok: true; data: z.output<S> } | { ok: false; issues: Issue[] } {
  const parsed = schema.safeParse(value, { error: message })
  if (parsed.success) return { ok: true, data: parsed.data }
  const issues = parsed.error.issues.slice(0, maxIssues).map((issue) => ({
    path: issue.path.join('.'),
    message: issue.message,
    input: valueAt(value, issue.path),
  }))
  return { ok: false, issues }
}

function valueAt(value: unknown, path: readonly PropertyKey[]): unknown {
  return path.reduce<unknown>((at, key) => (isRecord(at) ? at[key] : undefined), value)
}

function isRecord(value: unknown): value is Record<PropertyKey, unknown> {
  return typeof value === 'object' && value !== null
}

function message(issue: RawIssue): string {
  switch (issue.code) {
    case 'invalid_type':
      return wrongType(issue.expected, issue.input)
    case 'invalid_value':
      return wrongValue(issue)
    case 'too_small':
      return outOfBounds(issue.origin, Number(issue.minimum), bound(issue, 'at least', 'over'))
    case 'too_big':
      return outOfBounds(issue.origin, Number(issue.maximum), bound(issue, 'at most', 'under'))
    case 'invalid_format':
      return issue.format === 'regex' ? 'Invalid' : `Invalid ${issue.format}`
    case 'unrecognized_keys':
      return `Unrecognized key(s) in object: ${listValues(issue.keys, ', ')}`
    case 'invalid_union':
      return issue.discriminator === undefined
        ? 'Invalid input'
        : `Invalid discriminator value. Expected ${listValues(issue['options'], ' | ')}`
    default:
      return 'Invalid input'
  }
}

function wrongType(expected: string, input: unknown): string {
  if (input === undefined) return 'Required'
  if (expected === 'int' && typeof input === 'number') return 'Expected integer, received float'
  return `Expected ${expected === 'int' ? 'number' : expected}, received ${typeName(input)}`
}

function wrongValue(issue: Extract<RawIssue, { code: 'invalid_value' }>): string {
  if (!(issue.inst instanceof z.ZodEnum)) return `Invalid literal value, expected ${JSON.stringify(issue.values[0])}`
  if (issue.input === undefined) return 'Required'
  const expected = listValues(issue.values, ' | ')
  if (typeof issue.input !== 'string') return `Expected ${expected}, received ${typeName(issue.input)}`
  return `Invalid enum value. Expected ${expected}, received '${issue.input}'`
}

function bound<B extends Bound>(issue: { exact?: boolean; inclusive?: boolean }, within: B, beyond: B): Bound {
  if (issue.exact) return 'exactly'
  return issue.inclusive ? within : beyond
}

const bounds = {
  exactly: 'exactly equal to',
  'at least': 'greater than or equal to',
  over: 'greater than',
  'at most': 'less than or equal to',
  under: 'less than',
} as const
type Bound = keyof typeof bounds

function outOfBounds(origin: string, limit: number, bound: Bound): string {
  if (origin === 'string') return `String must contain ${bound} ${limit} character(s)`
  if (origin === 'array') return `Array must contain ${bound} ${limit} element(s)`
  return `Number must be ${bounds[bound]} ${limit}`
}

function listValues(values: unknown, separator: string): string {
  if (!Array.isArray(values)) return ''
  // An absent value, such as a configuration without `configType`, is not listed.
  return values
    .filter((value) => value !== undefined)
    .map((value) => `'${String(value)}'`)
    .join(separator)
}

function typeName(value: unknown): string {
  if (value === null) return 'null'
  if (Array.isArray(value)) return 'array'
  if (typeof value === 'number' && Number.isNaN(value)) return 'nan'
  return typeof value
}
