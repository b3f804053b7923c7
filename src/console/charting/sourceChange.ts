/** Carries queries over to another source: what both call differently is renamed, and what the new one lacks goes. */
import type { Source } from '#contract/stack/sources.ts'
import { joined, requirements } from '#domain/query/conditions.ts'
import type { FilterNode } from '#domain/query/filterSyntax.ts'
import { parseFilter } from '#domain/query/parseFilter.ts'
import { printFilter } from '#domain/query/printFilter.ts'
import { joinedSql, sqlParts } from '#domain/query/sqlParts.ts'
import { sqlTokens } from '#domain/query/sqlTokens.ts'
import { fieldsOf } from './fields.ts'

export interface SourcedQuery {
  /** An expression; empty for none. */
  field: string
  where: string
  whereLanguage: string
  groupBy: readonly string[]
}

interface Moved {
  query: SourcedQuery
  /** The removed parts, as they were written. */
  dropped: string[]
}

/** The columns of a source that another one may call differently. */
const roles = [
  'serviceNameExpression',
  'durationExpression',
  'resourceAttributesExpression',
  'eventAttributesExpression',
] as const

/** The query on another source. Names that neither source is known to have stay: tables have columns of their own. */
export function forSource(query: SourcedQuery, from: Source | undefined, to: Source | undefined): Moved {
  if (!from || !to) return { query, dropped: [] }
  const nameIn = namesFor(from, to)
  const dropped: string[] = []
  const kept: Kept = (moved, written) => {
    if (moved === null) dropped.push(written)
    return moved === null ? [] : [moved]
  }
  const expression = (written: string) => kept(expressionFor(written, nameIn), written)
  return {
    query: {
      field: expression(query.field)[0] ?? '',
      groupBy: query.groupBy.flatMap(expression),
      where: conditionFor(query, nameIn, kept),
      whereLanguage: query.whereLanguage,
    },
    dropped,
  }
}

/** Notes what is not there: the list is empty then. */
type Kept = <T>(moved: T | null, written: string) => T[]

/** The name of a column there; null if it is not there. */
type NameIn = (name: string) => string | null

function namesFor(from: Source, to: Source): NameIn {
  const [before, after] = [from, to].map((source) => new Set(fieldsOf(source).map(({ name }) => name)))
  const renamed = new Map(roles.flatMap((role) => (from[role] && to[role] ? [[from[role], to[role]]] : [])))
  return (name) => (after?.has(name) ? name : (renamed.get(name) ?? (before?.has(name) ? null : name)))
}

function expressionFor(expression: string, nameIn: NameIn): string | null {
  const tokens = sqlTokens(expression).map(({ kind, text }) => {
    if (kind === 'word') return nameIn(text)
    if (kind !== 'name') return text
    const written = text.slice(1, -1)
    const name = nameIn(written)
    if (name === written) return text
    return name === null ? null : text.charAt(0) + name + text.slice(-1)
  })
  return tokens.includes(null) ? null : tokens.join('')
}

function conditionFor({ where, whereLanguage }: SourcedQuery, nameIn: NameIn, kept: Kept): string {
  if (whereLanguage === 'sql') {
    const parts = sqlParts(where)
    const moved = parts.flatMap((part) => kept(expressionFor(part, nameIn), part))
    if (moved.length === parts.length && moved.every((part, at) => part === parts[at])) return where
    return moved.length === 1 ? (moved[0] ?? '') : joinedSql(moved)
  }
  const root = parseCondition(where)
  if (!root) return where
  const parts = requirements(root)
  const moved = parts.flatMap((part) => kept(filterFor(part, nameIn), printFilter(part)))
  if (moved.length === parts.length && moved.every((part, at) => part === parts[at])) return where
  return moved.length === 0 ? '' : printFilter(joined('and', moved))
}

/** A condition that cannot be parsed stays as it is written: the person is told so where it is typed. */
function parseCondition(where: string): FilterNode | null {
  try {
    return parseFilter(where)
  } catch {
    return null
  }
}

/** A filter with the names of another source; the filter itself if no name differs. */
function filterFor(node: FilterNode, nameIn: NameIn): FilterNode | null {
  if (node.kind === 'not') {
    const inner = filterFor(node.node, nameIn)
    return inner === null ? null : inner === node.node ? node : { kind: 'not', node: inner }
  }
  if (node.kind !== 'term') {
    const nodes = node.nodes.map((filterNode) => filterFor(filterNode, nameIn))
    if (nodes.includes(null)) return null
    const present = nodes.filter((filterNode) => filterNode !== null)
    return present.every((filterNode, at) => filterNode === node.nodes[at]) ? node : { kind: node.kind, nodes: present }
  }
  if (node.field === null) return node
  const [column = ''] = node.field.split('.')
  const name = nameIn(column)
  if (name === null || name === column) return name === null ? null : node
  const { written: _, ...term } = node
  return { ...term, field: name + node.field.slice(column.length) }
}

/** Says what of a query its new source lacks. */
export function droppedText(dropped: readonly string[], sources: readonly Source[], sourceId: string): string {
  const name = sources.find(({ id }) => id === sourceId)?.name ?? 'The new source'
  return `Removed ${dropped.join(', ')}: ${name} has no such field.`
}
