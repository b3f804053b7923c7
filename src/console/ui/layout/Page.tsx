import Box from '@mui/material/Box'
import Typography from '@mui/material/Typography'
import type { ReactNode } from 'react'

interface PageProps {
  title: string
  /** Chips beside the title. */
  state?: ReactNode
  /** One line that describes the page. */
  lead?: ReactNode
  actions?: ReactNode
  children: ReactNode
}

/** A page under the frame: title, state, one line, actions to the right, content. */
export function Page({ title, state, lead, actions, children }: PageProps) {
  return (
    <Box
      sx={{
        display: 'flex',
        flexDirection: 'column',
        flexGrow: 1,
        flexShrink: 0,
        p: { xs: 3, sm: '18px 22px' },
      }}
    >
      <Box
        sx={{
          display: 'flex',
          flexWrap: 'wrap',
          gap: 2,
          alignItems: 'center',
          rowGap: { xs: 2, sm: 1 },
          minHeight: 30,
        }}
      >
        <Typography variant="h1" sx={{ overflowWrap: 'anywhere' }}>
          {title}
        </Typography>
        {state}
        <Box sx={{ flexGrow: 1 }} />
        {actions && <Box sx={{ display: 'flex', flexWrap: 'wrap', gap: 2 }}>{actions}</Box>}
      </Box>
      <Typography component="div" color="textSecondary" sx={{ mt: { xs: 1.5, sm: 0.5 }, mb: 4, minHeight: 4 }}>
        {lead}
      </Typography>
      {children}
    </Box>
  )
}
