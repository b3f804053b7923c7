/** Where an error says that a statement is wrong. */
import type { Problem } from '#console/ui/code/editor.ts'

/** @returns the name or character at the place that the message ends with; nothing without a place */
export function problemOf({ message }: Error, statement: string): Problem[] {
  const place = /\(at (\d+)\)\.?$/.exec(message)?.[1]
  if (place === undefined) return []
  const from = Math.min(Number(place) - 1, Math.max(0, statement.length - 1))
  const length = /^\w+/.exec(statement.slice(from))?.[0].length ?? 1
  return [{ from, to: from + length, message: withoutPlace(message), severity: 'error' }]
}

export const withoutPlace = (message: string): string => message.replace(/ \(at \d+\)\.?$/, '')

/** Line and column of a place, from 1. */
export function lineOf(statement: string, at: number): { line: number; column: number } {
  const before = statement.slice(0, at).split('\n')
  return { line: before.length, column: (before.at(-1)?.length ?? 0) + 1 }
}
