import { formatValue, type Unit } from '#domain/charts/units.ts'

interface ValueProps {
  value: number | null
  unit: Unit
  approximate: boolean | undefined
}

/** A total in its unit, marked where it could only be put together from several buckets. */
export function Value({ value, unit, approximate = false }: ValueProps) {
  const text = formatValue(value, unit)
  if (!approximate || value === null) return text
  return <span title="Approximate: combined from several buckets">≈ {text}</span>
}
