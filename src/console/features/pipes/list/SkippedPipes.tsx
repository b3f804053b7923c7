import type { PipeRow } from './usePipes.ts'
import { pipeName } from '../model/pipeLabels.ts'
import { Text } from '#console/ui/base/Text.tsx'

/** The pipes that a bulk action skips, each with the reason. */
export function SkippedPipes({ rows }: { rows: readonly { row: PipeRow; reason: string }[] }) {
  if (rows.length === 0) return null
  return (
    <Text component="div" color="textSecondary">
      Skipped:
      <ul style={{ margin: 0, paddingLeft: 16 }}>
        {rows.map(({ row, reason }) => (
          <li key={row.id}>
            {pipeName(row)}: {reason}
          </li>
        ))}
      </ul>
    </Text>
  )
}
