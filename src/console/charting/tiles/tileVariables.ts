/**
 * Filters that are named in queries: docs/DEPLOYMENTS.md#filters-of-dashboards. `$name` and `${name}` stand for the chosen
 * values, `$__filter(…)` and `$__conditionalAll(…)` for conditions that hold everywhere while nothing is chosen.
 */
import { luceneValues, sqlIn, sqlValues } from '../conditions/conditions.ts'
import { readList } from '#contract/stack/expressionLists.ts'

export interface FilterVariable {
  name: string
  /** The column or expression of its filter. Empty for a static list. */
  expression: string
  /** The chosen values; an empty list means no restriction. */
  values: readonly string[]
  /** Why a text with the variable is not queried yet; absent if it may be. */
  missing?: string
}

/** A text uses variables in a way that cannot be replaced. The message is for users. */
export class VariableError extends Error {}

type Format = (values: readonly string[]) => string

const formats: Record<string, Format> = {
  sqlstring: (values) => (values.length > 0 ? sqlValues(values) : 'NULL'),
  lucene: (values) => `(${values.length > 0 ? luceneValues(values) : '""'})`,
  csv: (values) => values.join(','),
  regex: (values) => {
    const escaped = values.map((value) => value.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'))
    return escaped.length > 1 ? `(${escaped.join('|')})` : (escaped[0] ?? '.*')
  },
}

const everything = '(1=1)'

/**
 * Replaces the variables of a text by values in the notation of `language`; names that are no variables are unchanged.
 * Variables within values are not replaced.
 * @throws VariableError
 */
export function fillVariables(text: string, variables: readonly FilterVariable[], language: 'sql' | 'lucene'): string {
  const references = /\$__(filter|conditionalAll)\s*\(|\$\{(\w+)(?::(\w+))?\}|\$([A-Za-z]\w*)/g
  let filled = ''
  let done = 0
  for (let match = references.exec(text); match; match = references.exec(text)) {
    const [spelled, macro, braced, format, plain] = match
    filled += text.slice(done, match.index)
    done = references.lastIndex
    if (macro === undefined) {
      const variable = variables.find(({ name }) => name === (braced ?? plain))
      filled += variable ? spell(variable, format ?? (language === 'sql' ? 'sqlstring' : 'lucene')) : spelled
    } else if (language === 'lucene') {
      throw new VariableError(`$__${macro} works only in SQL. This condition uses field:value.`)
    } else {
      const { parts, end } = readList(text, done, ')')
      if (end < 0) throw new VariableError(`$__${macro} has no closing bracket.`)
      filled += expand(macro, parts, variables)
      done = references.lastIndex = end + 1
    }
  }
  return filled + text.slice(done)
}

function spell({ name, values, missing }: FilterVariable, format: string): string {
  if (missing !== undefined) throw new VariableError(missing)
  const spelled = formats[format]
  if (!spelled) throw new VariableError(`\${${name}:${format}}: unknown format ${format}.`)
  return spelled(values)
}

function expand(macro: string, parts: readonly string[], variables: readonly FilterVariable[]): string {
  const name = parts.at(-1)?.replace(/^\$/, '') ?? ''
  const variable = variables.find((one) => one.name === name)
  if (!variable)
    throw new VariableError(name ? `$__${macro}: no filter defines ${name}.` : `$__${macro} needs a variable.`)
  if (variable.missing !== undefined) throw new VariableError(variable.missing)
  const [first = ''] = parts
  if (parts.length !== 2 && !(macro === 'filter' && parts.length === 1)) {
    throw new VariableError(`$__${macro} takes ${macro === 'filter' ? 'one or two' : 'two'} arguments.`)
  }
  if (macro === 'filter' && parts.length === 1 && variable.expression === '') {
    throw new VariableError(`$__filter: ${name} is a static list. Name the column: $__filter(column, $${name}).`)
  }
  if (variable.values.length === 0) return everything
  if (macro === 'conditionalAll') return `(${fillVariables(first, variables, 'sql')})`
  const expression = parts.length === 2 ? fillVariables(first, variables, 'sql') : `toString(${variable.expression})`
  return `(${sqlIn(expression, variable.values)})`
}
