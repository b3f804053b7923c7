import type { NumberDisplay } from '#console/telemetry/numberFormat.ts'
import { formatValue } from '#domain/charts/units.ts'

interface ValueProps {
  /** As it was answered; null is none. */
  value: number | null
  display: NumberDisplay
  approximate: boolean | undefined
}

/** A total in its unit, marked where it could only be put together from several buckets. */
export function Value({ value, display, approximate = false }: ValueProps) {
  const text = formatValue(value === null ? null : value * display.factor, display.unit)
  if (!approximate || value === null) return text
  return <span title="Approximate: combined from several buckets">≈ {text}</span>
}
