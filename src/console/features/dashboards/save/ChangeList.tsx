import type { Dashboard, Tile } from '#contract/stack/dashboards/dashboards.ts'
import { StatusChip } from '#console/ui/StatusChip.tsx'
import type { FieldChange } from '#domain/json/diff.ts'
import type { DashboardDiff } from '../model/diff.ts'
import { useSourceNames } from '../model/useSourceNames.ts'
import { formatDefinition } from '../model/formatDefinition.ts'
import { formatPath, formatValue } from './formatChanges.ts'
import { Text } from '#console/ui/base/Text.tsx'
import * as css from '../dashboards.module.css'

interface ChangeListProps {
  changes: DashboardDiff
  before: Dashboard
  after: Dashboard
}

const tones = { added: 'ok', removed: 'bad', changed: 'neutral' } as const

/** Every field that a save changes: settings first, then tile by tile. */
export function ChangeList({ changes, before, after }: ChangeListProps) {
  return (
    <div className={css.changeList}>
      {changes.settings.length > 0 && <FieldTable changes={changes.settings} dashboards={[after, before]} />}
      {changes.tiles.map((tile) => (
        <div key={tile.id}>
          <div className={css.tileHeader}>
            <StatusChip tone={tones[tile.kind]}>{tile.kind}</StatusChip>
            <strong>{tile.name}</strong>
          </div>
          {tile.changes.length > 0 ? (
            <FieldTable changes={tile.changes} dashboards={[after, before]} />
          ) : (
            <TileSummary tile={[...after.tiles, ...before.tiles].find(({ id }) => id === tile.id)} />
          )}
        </div>
      ))}
    </div>
  )
}

/** The summary of an added or removed tile, in short. */
function TileSummary({ tile }: { tile: Tile | undefined }) {
  const names = useSourceNames()
  if (!tile) return null
  const words = formatDefinition(tile.config, names.get(tile.config?.sourceId ?? ''))
  return <code className={css.tileSummary}>{words.length > 0 ? words.join(', ') : formatValue(tile.config)}</code>
}

/** Field, before, after. */
export function FieldTable({ changes, dashboards }: { changes: readonly FieldChange[]; dashboards: Dashboard[] }) {
  const names = useSourceNames()
  return (
    <table className={css.fieldTable}>
      <thead>
        <tr>
          {['Field', 'Current', 'New'].map((title) => (
            <th key={title} scope="col">
              <Text variant="caption" color="textSecondary">
                {title}
              </Text>
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {changes.map(({ path, before, after }) => (
          <tr key={JSON.stringify(path)}>
            <td className={css.fieldName}>{formatPath(path, ...dashboards)}</td>
            <td data-title="Current">{formatValue(before, names)}</td>
            <td data-title="New">{formatValue(after, names)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}
