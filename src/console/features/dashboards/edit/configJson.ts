/** A tile's configuration as JSON text: numbers as they were read, problems at their place. */
import { parseJson, stringifyJson } from '#contract/wire/json.ts'
import { tileConfigStrict } from '#contract/stack/dashboards/tileConfigs.ts'
import type { TileConfig } from '#console/charting/tiles/tileConfig.ts'
import type { Problem } from '#console/ui/code/editor.ts'
import { isPlainObject } from '#domain/json/plainObject.ts'
import { withPlainNumbers } from '../model/roundTrip.ts'

export function configText(config: TileConfig | undefined): string {
  return stringifyJson(config ?? {}, 2)
}

/** The configuration, or why the text is not valid. */
export function readConfig(text: string): { config: TileConfig } | { problem: string; at: number } {
  try {
    const value = parseJson(text)
    if (isPlainObject(value)) return { config: value as TileConfig } // any object is accepted, because deployments may have further fields
    return { problem: 'A configuration must be an object: { … }', at: 0 }
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error)
    const at = /position (\d+)/.exec(message)?.[1]
    return { problem: message, at: at === undefined ? text.length : Number(at) }
  }
}

/** Invalid JSON is an error; unknown fields are a warning, because a deployment may know them. */
export function checkConfig(text: string): Problem[] {
  const read = readConfig(text)
  if ('problem' in read) {
    const from = Math.min(read.at, Math.max(0, text.length - 1))
    return [{ from, to: Math.min(from + 1, text.length), message: read.problem, severity: 'error' }]
  }
  const checked = tileConfigStrict.safeParse(withPlainNumbers(read.config))
  return (checked.error?.issues ?? []).map(({ path, message }) => {
    const key = path.findLast((step) => typeof step === 'string')
    const from = key === undefined ? 0 : Math.max(0, text.indexOf(`"${String(key)}"`))
    const where = path.length > 0 ? `${path.join('.')}: ` : ''
    return {
      from,
      to: from + (key === undefined ? 1 : String(key).length + 2),
      message: where + message,
      severity: 'warning',
    }
  })
}
