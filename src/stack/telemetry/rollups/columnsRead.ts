/** The columns and attributes that the conditions and groups of a chart read, where they are plain enough to tell. */
import { searchedExpressions } from '#contract/stack/sourceExpressions.ts'
import type { Source } from '#contract/stack/sources.ts'
import { FilterError } from '#domain/query/filterSyntax.ts'
import { termsOf } from '#domain/query/filterTerms.ts'
import { attributeOf } from '#domain/query/sqlValues.ts'
import type { Engine } from '../engine/engine.ts'
import { EngineError } from '../engine/engineError.ts'
import { checkLexically, ExpressionError } from '#domain/query/sqlLexical.ts'
import { descend, readSyntaxTree, type SyntaxNode } from '../expression/syntaxTree.ts'
import { attributeNamed, type Attribute } from '../fieldExpressions.ts'
import { readFilter } from '../filter/filterSql.ts'
import type { Columns } from '../tableLayout.ts'

interface ReadDependencies {
  conditions: readonly { text: string; language: 'lucene' | 'sql' }[]
  groupBy: readonly string[]
}

/**
 * The names of columns, and attributes as `LogAttributes['http.method']`. Null where anything else than a comparison of these is
 * read.
 */
export async function columnsRead(
  engine: Pick<Engine, 'query'>,
  { conditions, groupBy }: ReadDependencies,
  { source, columns }: { source: Source; columns: Columns },
): Promise<string[] | null> {
  const read = new Set<string>(groupBy)
  for (const { text, language } of conditions) {
    if (text.trim() === '') continue
    const found = language === 'sql' ? await columnsOfSql(engine, text) : columnsOfFilter(text, source, columns)
    if (found === null) return null
    for (const name of found) read.add(name)
  }
  const names = [...read].map((name) => spelled(name, columns))
  return names.includes(undefined) ? null : [...new Set(names.filter((name) => name !== undefined))]
}

/** The name of a column, or an attribute in its one spelling; undefined for what is neither. */
function spelled(name: string, columns: Columns): string | undefined {
  const attribute = attributeNamed(name, columns)
  return attribute && spelledAttribute(attribute)
}

export const spelledAttribute = ({ column, key }: Attribute): string =>
  key === undefined ? column : attributeOf(column, key)

function columnsOfFilter(text: string, source: Source, columns: Columns): string[] | null {
  try {
    const node = readFilter(text, columns)
    const terms = node ? termsOf(node) : []
    return terms.flatMap(({ field }) => (field === null ? searchedExpressions(source) : [field]))
  } catch (error) {
    // The statement says what is wrong with it.
    if (error instanceof FilterError) return null
    throw error
  }
}

/** Functions that are the same for equal values, at any time. */
const plainFunctions = new Set(
  (
    'and or not equals notEquals less greater lessOrEquals greaterOrEquals in notIn tuple array ' +
    'like notLike ilike notILike match startsWith endsWith empty notEmpty isNull isNotNull lower upper length'
  ).split(' '),
)

async function columnsOfSql(engine: Pick<Engine, 'query'>, text: string): Promise<string[] | null> {
  const root = await treeOf(engine, text)
  const select = root && descend(root, ['SelectWithUnionQuery', 'ExpressionList', 'SelectQuery'])
  const [list, tables, ...more] = select?.children ?? []
  const [expression, ...others] = list?.children ?? []
  if (!expression || !tables || others.length > 0 || more.length > 0) return null
  const found = new Set<string>()
  return collect(expression, found) ? [...found] : null
}

/** Null for what is no expression: the statement with it says why. */
async function treeOf(engine: Pick<Engine, 'query'>, text: string): Promise<SyntaxNode | null> {
  try {
    checkLexically(text)
    const sql = `SELECT explain FROM (EXPLAIN AST SELECT (${text}) FROM system.one)`
    const rows = await engine.query<{ explain: string }>(sql)
    return readSyntaxTree(rows.map(({ explain }) => explain))
  } catch (error) {
    if (error instanceof ExpressionError || (error instanceof EngineError && error.code > 0)) return null
    throw error
  }
}

/** Adds the columns of an expression. @returns whether it is plain */
function collect({ kind, name, alias, children }: SyntaxNode, found: Set<string>): boolean {
  if (alias !== undefined) return false
  if (kind === 'Function' && name === 'arrayElement') return collectAttribute(children[0]?.children ?? [], found)
  if (kind === 'Identifier') found.add(name)
  else if (kind === 'Function' ? !plainFunctions.has(name) : kind !== 'Literal' && kind !== 'ExpressionList')
    return false
  return children.every((child) => collect(child, found))
}

/** Adds `map['key']`. Keys whose spelling is not their text are left to the rows. */
function collectAttribute([map, key, ...others]: readonly SyntaxNode[], found: Set<string>): boolean {
  const [, text] = /^'([^'\\]+)'$/.exec(key?.kind === 'Literal' ? key.name : '') ?? []
  if (map?.kind !== 'Identifier' || map.alias !== undefined || text === undefined || others.length > 0) return false
  found.add(attributeOf(map.name, text))
  return true
}
