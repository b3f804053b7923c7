import { CircleSlash } from 'lucide-react'
import { paths } from '#console/paths/paths.ts'
import { EmptyState } from '#console/ui/EmptyState.tsx'
import { LinkButton } from '../LinkButton.tsx'
import { Button } from '#console/ui/base/Button.tsx'

/**
 * Shown instead of a page that the deployment does not have. It can offer more than its variant, so a retry is
 * possible.
 */
export function NotOffered({ reason, onTryAnyway }: { reason: string; onTryAnyway?: () => void }) {
  return (
    <EmptyState
      icon={CircleSlash}
      title="Not available on this deployment"
      action={
        <>
          {onTryAnyway && <Button onClick={onTryAnyway}>Try anyway</Button>}
          <LinkButton to={paths.connections()}>View connections</LinkButton>
        </>
      }
    >
      {reason}
    </EmptyState>
  )
}
