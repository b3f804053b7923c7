/** How values of rows are shown. */

export function severityTone(severity: string): 'bad' | 'warn' | 'accent' | 'neutral' {
  if (/^(fatal|crit|emerg|alert|err|severe|status_code_err)/i.test(severity)) return 'bad'
  if (/^warn/i.test(severity)) return 'warn'
  return /^(info|notice)/i.test(severity) ? 'accent' : 'neutral'
}

const units: [size: number, unit: string][] = [
  [1e9, 's'],
  [1e6, 'ms'],
  [1e3, 'µs'],
  [1, 'ns'],
]

/** Nanoseconds, as spans have them. */
export function formatNanoseconds(value: string): string {
  const nanoseconds = Number(value)
  if (value === '' || !Number.isFinite(nanoseconds)) return value
  const [size, unit] = units.find(([size]) => nanoseconds >= size) ?? [1, 'ns']
  return `${Number((nanoseconds / size).toPrecision(3)).toLocaleString('en-US')} ${unit}`
}
