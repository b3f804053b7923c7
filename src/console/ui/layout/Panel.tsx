import Box from '@mui/material/Box'
import Card from '@mui/material/Card'
import Typography from '@mui/material/Typography'
import { useId, type ReactNode } from 'react'

interface PanelProps {
  title?: string
  /** To the right of the title. */
  aside?: ReactNode
  /** Leaves the padding to the content, for tables. */
  flush?: boolean
  children: ReactNode
}

/** A card with one hairline and an optional title row. */
export function Panel({ title, aside, flush = false, children }: PanelProps) {
  const id = useId()
  return (
    <Card component="section" {...(title ? { 'aria-labelledby': id } : {})}>
      {title && (
        <Box
          sx={{
            display: 'flex',
            flexWrap: 'wrap',
            alignItems: 'center',
            columnGap: 2,
            rowGap: 1,
            px: 3.5,
            py: 2.5,
            borderBottom: 1,
            borderColor: 'divider',
          }}
        >
          <Typography id={id} variant="h3" component="h2">
            {title}
          </Typography>
          <Box sx={{ flexGrow: 1 }} />
          {aside && (
            <Typography component="div" color="textSecondary">
              {aside}
            </Typography>
          )}
        </Box>
      )}
      <Box sx={{ p: flush ? 0 : 3.5 }}>{children}</Box>
    </Card>
  )
}
