import Box from '@mui/material/Box'
import { Fragment, type ReactNode } from 'react'

/** Names and values as a description list. Rows without a value are omitted. */
export function DescriptionList({ rows }: { rows: readonly (readonly [name: string, value: ReactNode])[] }) {
  const shown = rows.filter(([, value]) => value !== null && value !== undefined && value !== '')
  return (
    <Box
      component="dl"
      sx={{
        display: 'grid',
        gridTemplateColumns: { xs: 'minmax(0, 1fr)', sm: '160px minmax(0, 1fr)' },
        columnGap: 4,
        // Below each other, the name belongs to the value under it.
        rowGap: { xs: 0, sm: 2.5 },
        m: 0,
        '& > dd:not(:last-child)': { mb: { xs: 2.5, sm: 0 } },
      }}
    >
      {shown.map(([name, value]) => (
        <Fragment key={name}>
          <Box component="dt" sx={{ color: 'text.secondary' }}>
            {name}
          </Box>
          <Box component="dd" sx={{ m: 0, minWidth: 0, overflowWrap: 'anywhere' }}>
            {value}
          </Box>
        </Fragment>
      ))}
    </Box>
  )
}
