import type { LucideIcon } from 'lucide-react'
import type { ReactNode } from 'react'
import { Centered, CenteredActions } from './layout/Centered.tsx'
import { Text } from '#console/ui/base/Text.tsx'
import * as css from './ui.module.css'

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
        <div className={css.emptyStateIcon}>
          <Icon size={28} strokeWidth={1.4} aria-hidden />
        </div>
      )}
      <Text variant="h2" component="p">
        {title}
      </Text>
      {children && (
        <Text component="div" color="textSecondary" className={css.emptyStateDescription}>
          {children}
        </Text>
      )}
      {action && <CenteredActions>{action}</CenteredActions>}
    </Centered>
  )
}
