/**
 * Filters that are named in queries: docs/DEPLOYMENTS.md#filters-of-dashboards. `$name` and `${name}` stand for the chosen
 * values, `$__filter(…)` and `$__conditionalAll(…)` for conditions that hold everywhere while nothing is chosen.
 */
import { joined, term } from './conditions.ts'
import { fillSql, VariableError, type MacroCall, type SqlRules } from './fillSql.ts'
import { printFilter } from './printFilter.ts'
import { isOneExpression } from './sqlParts.ts'
import { sqlIn, sqlValues } from './sqlValues.ts'

export interface FilterVariable {
  name: string
  /** The column or expression of its filter. Empty for a static list. */
  expression: string
  /** The chosen values; an empty list means no restriction. */
  values: readonly string[]
  /** Why a text with the variable is not queried yet; absent if it may be. */
  missing?: string
}

const everything = '(1=1)'

/**
 * Replaces the variables of a text by values in the notation of `language`; names that are no variables are unchanged.
 * Variables within values are not replaced.
 * @throws VariableError
 */
export function fillVariables(text: string, variables: readonly FilterVariable[], language: 'sql' | 'lucene'): string {
  return language === 'sql' ? fillSql(text, variableRules(variables)) : fillLucene(text, variables)
}

/** How the variables are written in SQL. */
export function variableRules(variables: readonly FilterVariable[]): Pick<SqlRules, 'macro' | 'variable'> {
  return {
    macro: (call) => (call.name === 'filter' || call.name === 'conditionalAll' ? expand(call, variables) : undefined),
    variable: (name, format, place) => {
      const variable = variables.find((filterVariable) => filterVariable.name === name)
      return variable && formatVariable(variable, format ?? 'sqlstring', place)
    },
  }
}

function fillLucene(text: string, variables: readonly FilterVariable[]): string {
  return text.replaceAll(
    /\$__(filter|conditionalAll)\s*\(|\$\{(\w+)(?::(\w+))?\}|\$([A-Za-z]\w*)/g,
    (spelled, macro?: string, braced?: string, format?: string, plain?: string) => {
      if (macro !== undefined) {
        throw new VariableError(`$__${macro} works only in SQL. This condition uses field:value.`)
      }
      const variable = variables.find(({ name }) => name === (braced ?? plain))
      return variable ? formatVariable(variable, format ?? 'lucene', 'condition') : spelled
    },
  )
}

type Place = 'code' | 'quotes' | 'condition'

function formatVariable({ name, values, missing }: FilterVariable, format: string, place: Place): string {
  if (missing !== undefined) throw new VariableError(missing)
  if (format === 'csv' || format === 'regex') return plainValues(`\${${name}:${format}}`, values, format, place)
  if (format !== 'sqlstring' && !(format === 'lucene' && place === 'condition')) {
    throw new VariableError(`\${${name}:${format}}: unknown format ${format}.`)
  }
  if (place === 'quotes') {
    throw new VariableError(
      `$${name} has quotes of its own: remove those around it, or write \${${name}:csv} or \${${name}:regex} within them.`,
    )
  }
  if (format === 'lucene') return `(${values.length > 0 ? luceneValues(values) : '""'})`
  return values.length > 0 ? sqlValues(values) : 'NULL'
}

/** Characters that end no quotes, and that mean nothing in a regular expression but the dot. */
const plainText = /^[\p{L}\p{N} _.:/@-]*$/u
const plainNumber = /^\d+(?:\.\d+)?$/

/** Values without quotes of their own: texts within quotes, and numbers beside them. */
function plainValues(spelled: string, values: readonly string[], format: 'csv' | 'regex', place: Place): string {
  if (place === 'code' && format === 'regex') throw new VariableError(`${spelled} must be in quotes.`)
  const isNumeric = place === 'code'
  const other = values.find((value) => !(isNumeric ? plainNumber : plainText).test(value))
  if (other !== undefined) {
    throw new VariableError(
      isNumeric
        ? `${spelled} outside of quotes takes numbers, and “${other}” is none.`
        : `${spelled} takes letters, digits, spaces and . _ : / @ - only, and “${other}” has other characters.`,
    )
  }
  // Between spaces, so that no word or number before it goes on.
  if (isNumeric) return values.length > 0 ? ` ${values.join(', ')} ` : ' NULL '
  if (format === 'csv') return values.join(',')
  const escaped = values.map((value) => value.replaceAll('.', '[.]'))
  return escaped.length > 1 ? `(${escaped.join('|')})` : (escaped[0] ?? '.*')
}

/** `"a" OR "b"`: exact terms of the field:value language. */
function luceneValues(values: readonly string[]): string {
  return printFilter(
    joined(
      'or',
      values.map((text) => term(null, { kind: 'phrase', text })),
    ),
  )
}

function expand({ name: macro, parts, place, fill }: MacroCall, variables: readonly FilterVariable[]): string {
  if (place === 'quotes') throw new VariableError(`$__${macro} cannot be in quotes.`)
  const name = parts.at(-1)?.replace(/^\$/, '') ?? ''
  const variable = variables.find((filterVariable) => filterVariable.name === name)
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
  if (macro === 'conditionalAll') return `(${fill(first)})`
  const expression = parts.length === 2 ? fill(first) : `toString(${wholeExpression(variable)})`
  return `(${sqlIn(expression, variable.values)})`
}

/** @throws VariableError for what could change the condition around it */
function wholeExpression({ name, expression }: FilterVariable): string {
  if (isOneExpression(expression)) return expression
  throw new VariableError(`The expression of the filter ${name} is not one expression: ${expression}`)
}
