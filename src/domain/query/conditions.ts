/** Conditions on fields as trees: made, compared, and combined with a filter that a person wrote. */
import type { FilterNode, Matcher, Term } from './filterSyntax.ts'

/** A condition on a field, or on the body for null. */
export const term = (field: string | null, matcher: Matcher): Term => ({
  kind: 'term',
  field,
  matcher,
  grouped: false,
  position: 0,
})

/** The field has exactly one of the values; an empty value stands for rows without one. */
export function isOneOf(field: string, values: readonly string[]): FilterNode {
  return joined(
    'or',
    values.map((value) => (value === '' ? negated(hasValue(field)) : term(field, { kind: 'phrase', text: value }))),
  )
}

const hasValue = (field: string): FilterNode => term(field, { kind: 'word', pieces: ['', ''] })

/** Twice negated is not negated. */
export const negated = (node: FilterNode): FilterNode => (node.kind === 'not' ? node.node : { kind: 'not', node })

/** @throws RangeError for no nodes at all */
export function joined(kind: 'and' | 'or', nodes: readonly FilterNode[]): FilterNode {
  const [first, ...others] = nodes
  if (!first) throw new RangeError('there is nothing to join')
  return others.length === 0 ? first : { kind, nodes: [...nodes] }
}

/** The conditions that all have to hold: those that AND joins, at any depth. */
export function requirements(root: FilterNode | null): FilterNode[] {
  if (root === null) return []
  return root.kind === 'and' ? root.nodes.flatMap(requirements) : [root]
}

/** Whether a filter requires a condition. */
export function requires(root: FilterNode | null, wanted: FilterNode): boolean {
  return requirements(root).some((requirement) => isSameFilter(requirement, wanted))
}

/** The filter with a further condition. */
export function withRequirement(root: FilterNode | null, added: FilterNode): FilterNode {
  if (root === null) return added
  if (requires(root, added)) return root
  const nodes = root.kind === 'and' && !root.written?.enclosed ? root.nodes : [root]
  return { kind: 'and', nodes: [...nodes, added] }
}

/** The filter without a condition that it requires; null if nothing is left. */
export function withoutRequirement(root: FilterNode | null, removed: FilterNode): FilterNode | null {
  if (root === null || isSameFilter(root, removed)) return null
  if (root.kind !== 'and' || !requires(root, removed)) return root
  const nodes = root.nodes.flatMap((node) => withoutRequirement(node, removed) ?? [])
  return nodes.length === 0 ? null : joined('and', nodes)
}

/** Whether two trees say the same in the same way, wherever and however they are written. */
function isSameFilter(a: FilterNode, b: FilterNode): boolean {
  return shape(a) === shape(b)
}

function shape(node: FilterNode): string {
  return JSON.stringify(node, (key, value: unknown) => (key === 'position' || key === 'written' ? undefined : value))
}
