/** Times in the results of a query endpoint, which the engine writes by the clock of a time zone. */
import type { SqlRows } from '#contract/stack/deploymentTools.ts'
import { isZone, timeOfClock } from '#domain/time/zone.ts'
import { failure } from '#node/upstream/apiFailure.ts'

const simple = /^(\d{4}-\d\d-\d\d) (\d\d:\d\d:\d\d)(\.\d+)?$/

/**
 * The result with times in UTC, as `2026-11-30T12:00:00Z`, like the results of the stack. Times in arrays and tuples stay as they are.
 * @param serverZone reads the time zone of the server, that of columns whose type names none
 * @throws ApiFailure `invalid` for times of a zone that is not in the IANA database
 */
export async function withIsoTimes(result: SqlRows, serverZone: () => Promise<string>): Promise<SqlRows> {
  const zones = new Map<string, string>()
  for (const { name, type } of result.meta ?? []) {
    const zone = zoneOfType(type)
    if (zone === undefined || !result.data.some((row) => isSimple(row[name]))) continue
    zones.set(name, zone ?? (await serverZone()))
  }
  if (zones.size === 0) return result
  for (const [name, zone] of zones) {
    if (!isZone(zone))
      throw failure('invalid', `${name}: times of the zone ${zone} cannot be read. Use toTimeZone(${name}, 'UTC')`)
  }
  const data = result.data.map((row) =>
    Object.fromEntries(
      Object.entries(row).map(([name, value]) => {
        const zone = zones.get(name)
        return [name, zone === undefined ? value : isoTime(value, zone)]
      }),
    ),
  )
  return { ...result, data }
}

/** The zone that a type with times names; null for that of the server, undefined for a type without times. */
function zoneOfType(type: string): string | null | undefined {
  const match = /^(?:Nullable\(|LowCardinality\()*DateTime(?:64)?\b(?:\([^')]*(?:'([^']*)')?\))?/.exec(type)
  return match ? (match[1] ?? null) : undefined
}

const isSimple = (value: unknown): value is string => typeof value === 'string' && simple.test(value)

function isoTime(value: unknown, zone: string): unknown {
  const [, day, clock, fraction = ''] = isSimple(value) ? (simple.exec(value) ?? []) : []
  if (day === undefined || clock === undefined) return value
  const time = timeOfClock(Date.parse(`${day}T${clock}Z`), zone)
  return `${new Date(time).toISOString().slice(0, -'.000Z'.length)}${fraction}Z`
}
