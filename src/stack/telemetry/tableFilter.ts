import type { Source } from '#contract/stack/sources.ts'

/** The SQL condition that limits a source of logs to some rows of its table; empty without one. */
export function tableFilterOf(source: Source): string {
  const text = source['tableFilterExpression'] // sources have further texts beside those of the schema
  return source.kind === 'log' && typeof text === 'string' ? text.trim() : ''
}
