/** Which tiles an alert can use: docs/DEPLOYMENTS.md#alerts, #alert-evaluation. */
import type { Option } from '#console/ui/form/fields/SelectField.tsx'
import { alertableDisplayTypes, type Dashboard, isEvaluated, type Tile } from '#contract/stack/dashboards/dashboards.ts'

export function dashboardOptions(dashboards: readonly Dashboard[]): Option[] {
  return dashboards
    .toSorted((a, b) => a.name.localeCompare(b.name))
    .map(({ id, name, tiles }) => ({
      value: id,
      label: name || 'Untitled dashboard',
      detail: `${tiles.length} ${tiles.length === 1 ? 'tile' : 'tiles'}`,
    }))
}

/** Tiles that have an id. Those that the API refuses are shown with the reason and cannot be chosen. */
export function tileOptions(dashboard: Dashboard | undefined): Option[] {
  return (dashboard?.tiles ?? []).flatMap((tile): Option[] => {
    if (!tile.id) return []
    const refused = refusal(tile)
    const option = { value: tile.id, label: tile.name || 'Untitled tile', detail: detailOf(tile) }
    return [refused === undefined ? option : { ...option, disabled: refused }]
  })
}

/** Why an alert on this tile would never fire, although the API accepts it; undefined if it is evaluated. */
export function evaluationWarning(tile: Tile | undefined): string | undefined {
  if (isEvaluated(tile)) return undefined
  const type = tile?.config?.displayType ?? ''
  return `Alerts on ${formatTileType(type)} tiles are saved but never evaluated: choose a line, stacked bar or number tile.`
}

function refusal({ config }: Tile): string | undefined {
  const type = config?.displayType
  if (type === 'markdown') return 'Text tiles have no values'
  if (config?.configType !== 'sql' || alertableDisplayTypes.includes(type ?? '')) return undefined
  return 'Alerts on raw SQL tiles require a line, stacked bar or number tile'
}

function detailOf(tile: Tile): string {
  const type = tile.config?.displayType
  const label = type ? formatTileType(type) : 'unknown type'
  return evaluationWarning(tile) ? `${label}, never evaluated` : label
}

const formatTileType = (type: string) => type.replaceAll('_', ' ')
