import { useRouter, type ErrorComponentProps } from '@tanstack/react-router'
import { formatError } from '#console/api/errors.ts'
import { ErrorState } from '#console/ui/ErrorState.tsx'
import { Page } from '#console/ui/layout/Page.tsx'
import { Button } from '#console/ui/base/Button.tsx'

/** A page that failed. The rest of the console still works. */
export function BrokenPage({ error, reset }: ErrorComponentProps) {
  const router = useRouter()
  return (
    <Page title="Page error">
      <ErrorState
        error={formatError(error, location.pathname)}
        onRetry={() => {
          reset()
          void router.invalidate()
        }}
        action={<Button onClick={() => location.reload()}>Reload</Button>}
      />
    </Page>
  )
}
