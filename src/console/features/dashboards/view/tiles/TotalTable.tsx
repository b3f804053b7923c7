import Box from '@mui/material/Box'
import { numberDisplay } from '#console/telemetry/numberFormat.ts'
import type { TileTotal } from '#console/telemetry/tileData.ts'
import { Value } from './Value.tsx'

/** Maximum number of rows; a note shows the number of others. */
const maxRows = 200

interface TotalTableProps {
  total: TileTotal
  /** What groups are called: the expressions that the tile is grouped by. */
  groupNames: readonly string[]
  label: string
}

/** Totals as a table, one row a group. */
export function TotalTable({ total, groupNames, label }: TotalTableProps) {
  const rows = total.rows.slice(0, maxRows)
  return (
    <Box sx={{ overflow: 'auto', flexGrow: 1, minHeight: 0 }} tabIndex={0} role="region" aria-label={label}>
      <Box
        component="table"
        sx={{
          width: '100%',
          borderCollapse: 'collapse',
          '& th': { position: 'sticky', top: 0, bgcolor: 'background.paper', color: 'text.secondary', fontWeight: 500 },
          '& th, & td': { px: 2, height: 28, borderBottom: 1, borderColor: 'divider', textAlign: 'left' },
          '& .number': { textAlign: 'right', whiteSpace: 'nowrap' },
        }}
      >
        <thead>
          <tr>
            {groupNames.map((name) => (
              <th key={name} scope="col">
                {name}
              </th>
            ))}
            {total.columns.map(({ name }) => (
              <th key={name} scope="col" className="number">
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map(({ group, values }) => (
            <tr key={JSON.stringify(group)}>
              {groupNames.map((name, index) => (
                <Box component="td" key={name} sx={{ overflowWrap: 'anywhere' }}>
                  {group[index] ?? ''}
                </Box>
              ))}
              {values.map((value, index) => (
                <td key={total.columns[index]?.name} className="number">
                  <Value
                    value={value}
                    display={numberDisplay(total.columns[index]?.format)}
                    approximate={total.columns[index]?.approximate}
                  />
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </Box>
      {total.rows.length > maxRows && (
        <Box sx={{ p: 2, color: 'text.secondary' }}>
          Showing the first {maxRows} of {total.rows.length} rows.
        </Box>
      )}
    </Box>
  )
}
