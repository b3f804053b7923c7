import { LosslessNumber } from '#contract/wire/json.ts'

/** JSON text that does not depend on the order of keys. `without` names fields of the outermost object. */
export function canonicalJson(value: unknown, without: readonly string[] = []): string {
  if (value instanceof LosslessNumber) return value.value
  if (Array.isArray(value)) return `[${value.map((item) => canonicalJson(item)).join()}]`
  if (value === null || typeof value !== 'object') return JSON.stringify(value) ?? 'null'
  const fields = Object.entries(value)
    .filter(([name, item]) => item !== undefined && !without.includes(name))
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
  return `{${fields.map(([name, item]) => `${JSON.stringify(name)}:${canonicalJson(item)}`).join()}}`
}
