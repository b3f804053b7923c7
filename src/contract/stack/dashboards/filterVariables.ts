/** The filters of a dashboard as variables of its queries: docs/DEPLOYMENTS.md#filters-of-dashboards. */

/** The fields of a filter that its variable depends on. */
interface VariableFilter {
  /** A static list is always a variable. */
  type?: string | undefined
  name: string
  isVariableEnabled?: boolean | undefined
  variableName?: string | undefined
}

/** The variable name of a filter, or null. */
export function filterVariable(filter: VariableFilter): string | null {
  if (!filter.isVariableEnabled && filter.type !== 'STATIC_LIST') return null
  if (filter.variableName !== undefined) return filter.variableName
  const name = filter.name.replaceAll(' ', '_').replaceAll(/[^a-zA-Z0-9_]/g, '')
  return /^[a-zA-Z]/.test(name) ? name : `v${name}`
}
