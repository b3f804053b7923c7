/** Suggestions for the value after `Field:` in a condition. */
import type { Field } from '#console/telemetry/fields.ts'
import type { ValueCount } from './useCounts.ts'

const lastTerm = /(?:^|[\s(-])([A-Za-z_]\w*):"?([^\s"]*)$/

const most = 8

/** The column whose value is being typed at the end of the condition; null if none is. */
export function fieldBefore(condition: string, fields: readonly Field[]): string | null {
  const name = lastTerm.exec(condition)?.[1]
  return fields.find((field) => field.name === name && field.kind === 'text')?.name ?? null
}

/** The commonest values that begin with what is typed, as the language spells them. */
export function valueCompletions(condition: string, values: readonly ValueCount[]): { start: number; names: string[] } {
  const typed = lastTerm.exec(condition)?.[2] ?? ''
  const start = condition.length - typed.length - (condition.at(-typed.length - 1) === '"' ? 1 : 0)
  const names = values
    .filter(({ value }) => value !== '(none)' && value.toLowerCase().startsWith(typed.toLowerCase()))
    .slice(0, most)
    .map(({ value }) => `"${value.replace(/[\\"]/g, '\\$&')}"`)
  return { start, names }
}
