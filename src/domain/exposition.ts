/** The Prometheus text format, as the control plane uses it: docs/DEPLOYMENTS.md#metrics. */

export interface Sample {
  name: string
  labels: Record<string, string>
  value: number
}

/** All samples of one metric. */
export interface MetricFamily {
  name: string
  type: 'counter' | 'gauge' | 'histogram'
  help: string
  /** `suffix`: which series of a histogram it is. */
  samples: { suffix?: '_bucket' | '_sum' | '_count'; labels: Record<string, string>; value: number }[]
}

/** The text of metric families. Families without samples are left out. */
export function formatExposition(families: readonly MetricFamily[]): string {
  const lines = families
    .filter((family) => family.samples.length > 0)
    .flatMap((family) => [
      `# HELP ${family.name} ${family.help.replaceAll('\\', '\\\\').replaceAll('\n', '\\n')}`,
      `# TYPE ${family.name} ${family.type}`,
      ...family.samples.map(
        ({ suffix = '', labels, value }) => `${family.name}${suffix}${formatLabels(labels)} ${formatValue(value)}`,
      ),
    ])
  return lines.length === 0 ? '' : `${lines.join('\n')}\n`
}

function formatLabels(labels: Record<string, string>): string {
  const pairs = Object.entries(labels).map(([name, value]) => `${name}="${value.replace(/[\\"\n]/g, escapeOne)}"`)
  return pairs.length === 0 ? '' : `{${pairs.join(',')}}`
}

function escapeOne(character: string): string {
  return character === '\n' ? '\\n' : `\\${character}`
}

function formatValue(value: number): string {
  if (value === Infinity) return '+Inf'
  if (value === -Infinity) return '-Inf'
  return String(value)
}

const sampleLine = /^([A-Za-z_:][\w:]*)(?:\{(.*)\})?[ \t]+(\S+)(?:[ \t]+-?\d+)?[ \t]*$/s
const label = /\s*([A-Za-z_]\w*)\s*=\s*"((?:[^"\\]|\\.)*)"\s*(?:,|$)/sy

/** All samples of a text. Invalid lines are skipped. */
export function parseExposition(text: string): Sample[] {
  return text.split(/\r?\n/).flatMap((line) => {
    if (line === '' || line.startsWith('#')) return []
    const [, name, labels, value] = sampleLine.exec(line) ?? []
    if (name === undefined || value === undefined) return []
    const parsed = parseLabels(labels ?? '')
    return parsed ? [{ name, labels: parsed, value: parseValue(value) }] : []
  })
}

function parseLabels(text: string): Record<string, string> | null {
  const found: [string, string][] = []
  label.lastIndex = 0
  while (label.lastIndex < text.length) {
    const match = label.exec(text)
    if (!match?.[1]) return null
    found.push([
      match[1],
      (match[2] ?? '').replace(/\\(.)/gs, (_, escaped: string) => (escaped === 'n' ? '\n' : escaped)),
    ])
  }
  return Object.fromEntries(found)
}

function parseValue(text: string): number {
  if (/^\+?inf$/i.test(text)) return Infinity
  if (/^-inf$/i.test(text)) return -Infinity
  return Number(text)
}
