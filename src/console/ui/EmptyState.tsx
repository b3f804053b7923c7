import Box from '@mui/material/Box'
import Typography from '@mui/material/Typography'
import type { LucideIcon } from 'lucide-react'
import type { ReactNode } from 'react'
import { Centered, CenteredActions } from './layout/Centered.tsx'

interface EmptyStateProps {
  icon?: LucideIcon
  title: string
  /** Why it is empty, or what would be here. */
  children?: ReactNode
  /** The next step. */
  action?: ReactNode
}

/** An empty state with its reason and the next step. */
export function EmptyState({ icon: Icon, title, children, action }: EmptyStateProps) {
  return (
    <Centered>
      {Icon && (
        <Box sx={{ color: 'tone.faint' }}>
          <Icon size={28} strokeWidth={1.4} aria-hidden />
        </Box>
      )}
      <Typography variant="h2" component="p">
        {title}
      </Typography>
      {children && (
        <Typography component="div" color="textSecondary" sx={{ maxWidth: 460 }}>
          {children}
        </Typography>
      )}
      {action && <CenteredActions>{action}</CenteredActions>}
    </Centered>
  )
}
