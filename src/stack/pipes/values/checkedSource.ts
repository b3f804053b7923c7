/** Sources whose values are checked as they are read. */
import { identifier, literal } from '../loads/sqlNames.ts'
import type { MappedField } from '../loads/fieldMapping.ts'
import { checkedColumn, type CheckedColumn } from './checkedReading.ts'
import { columnType } from './columnType.ts'

/** How fields are read whose values need a check, by name. */
export function checkedFields(fields: readonly MappedField[]): Map<string, CheckedColumn> {
  const checks = new Map<string, CheckedColumn>()
  for (const { source, type } of fields) {
    // A field of several columns is read as the type of one of them.
    const isShared = fields.some((field) => field.source === source && field.type !== type)
    const check = isShared ? null : checkedColumn(columnType(type))
    if (check) checks.set(source, check)
  }
  return checks
}

/**
 * The fields of a source with the types of their columns.
 * @param conditions further conditions of its rows
 */
export function checkedSource(
  names: readonly string[],
  checks: ReadonlyMap<string, CheckedColumn>,
  source: string,
  conditions: readonly string[] = [],
): string {
  const certain = names.flatMap((name) => checks.get(name)?.isCertain(identifier(name)) ?? [])
  const check = `throwIf(NOT (${certain.join(' AND ')}), ${literal('a value is not certain')}) = 0`
  const all = [...conditions, ...(certain.length > 0 ? [check] : [])]
  const where = all.length === 0 ? '' : ` WHERE ${all.join(' AND ')}`
  // Under another name first: conditions are about what was read.
  const alias = (name: string) => identifier(`${name} checked`)
  const inner = names.map(
    (name) => `${checks.get(name)?.value(identifier(name)) ?? identifier(name)} AS ${alias(name)}`,
  )
  const outer = names.map((name) => `${alias(name)} AS ${identifier(name)}`)
  return `(SELECT ${outer.join(', ')} FROM (SELECT ${inner.join(', ')} FROM ${source}${where}))`
}
