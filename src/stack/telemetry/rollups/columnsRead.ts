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
    const found =
      language === 'sql' ? await columnsOfSql(engine, text, columns) : columnsOfFilter(text, source, columns)
    if (found === null) return null
    for (const name of found) read.add(name)
  }
  const names = [...read].map((name) => columnOrAttribute(name, columns))
  return names.includes(undefined) ? null : [...new Set(names.filter((name) => name !== undefined))]
}

/** The name of a column, or an attribute in its one spelling; undefined for what is neither. */
function columnOrAttribute(name: string, columns: Columns): string | undefined {
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

async function columnsOfSql(engine: Pick<Engine, 'query'>, text: string, columns: Columns): Promise<string[] | null> {
  const root = await treeOf(engine, text)
  const select = root && descend(root, ['SelectWithUnionQuery', 'ExpressionList', 'SelectQuery'])
  const [list, tables, ...more] = select?.children ?? []
  const [expression, ...others] = list?.children ?? []
  if (!expression || !tables || others.length > 0 || more.length > 0) return null
  const found = fieldsOf(expression, columns)
  return found && [...new Set(found)]
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

/**
 * The columns and attributes of an expression; null unless it is plain. Identifiers are whole names of columns: `LogAttributes.keys`
 * is a part of a column, and not the attribute of that name.
 */
function fieldsOf({ kind, name, alias, children }: SyntaxNode, columns: Columns): string[] | null {
  if (alias !== undefined) return null
  if (kind === 'Function' && name === 'arrayElement') return attributeIn(children[0]?.children ?? [], columns)
  if (kind === 'Identifier') return columns.has(name) ? [name] : null
  if (kind === 'Function' ? !plainFunctions.has(name) : kind !== 'Literal' && kind !== 'ExpressionList') return null
  const found = children.map((child) => fieldsOf(child, columns))
  return found.includes(null) ? null : found.flatMap((fields) => fields ?? [])
}

/** `map['key']`. Keys whose spelling is not their text are left to the rows. */
function attributeIn([map, key, ...others]: readonly SyntaxNode[], columns: Columns): string[] | null {
  const [, text] = /^'([^'\\]+)'$/.exec(key?.kind === 'Literal' ? key.name : '') ?? []
  const isPlain = map?.kind === 'Identifier' && map.alias === undefined && columns.has(map.name)
  return isPlain && text !== undefined && others.length === 0 ? [attributeOf(map.name, text)] : null
}
