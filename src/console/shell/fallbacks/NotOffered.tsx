import { CircleSlash } from 'lucide-react'
import type { ReactNode } from 'react'
import { paths } from '#console/paths/paths.ts'
import { EmptyState } from '#console/ui/EmptyState.tsx'
import { LinkButton } from '../LinkButton.tsx'
import { Button } from '#console/ui/base/Button.tsx'

interface NotOfferedProps {
  reason: string
  /** The advice, before the other ways on. */
  action?: ReactNode
  onTryAnyway?: () => void
}

/**
 * Shown instead of a page that the deployment does not have. It can offer more than its variant, so a retry is
 * possible.
 */
export function NotOffered({ reason, action, onTryAnyway }: NotOfferedProps) {
  return (
    <EmptyState
      icon={CircleSlash}
      title="Not available on this deployment"
      action={
        <>
          {action}
          {onTryAnyway && <Button onClick={onTryAnyway}>Try anyway</Button>}
          <LinkButton to={paths.connections()}>View connections</LinkButton>
        </>
      }
    >
      {reason}
    </EmptyState>
  )
}
