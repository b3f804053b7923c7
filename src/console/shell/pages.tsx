/** Pages that stand in for a page: not found, broken, on its way. */
import Box from '@mui/material/Box'
import Button from '@mui/material/Button'
import Skeleton from '@mui/material/Skeleton'
import { useRouter, type ErrorComponentProps } from '@tanstack/react-router'
import { errorWords } from '#console/api/errors.ts'
import { paths } from '#console/paths.ts'
import { EmptyState } from '#console/ui/EmptyState.tsx'
import { ErrorState } from '#console/ui/ErrorState.tsx'
import { LinkButton } from './LinkButton.tsx'

/** An address that leads nowhere. */
export function NotFoundPage() {
  return (
    <EmptyState title="There is no such page" action={<LinkButton to={paths.home()}>Go to the start</LinkButton>}>
      Nothing of this console has the address <code>{location.pathname}</code>.
    </EmptyState>
  )
}

/** A page that broke: the rest of the console goes on. */
export function BrokenPage({ error, reset }: ErrorComponentProps) {
  const router = useRouter()
  return (
    <ErrorState
      error={errorWords(error, location.pathname)}
      onRetry={() => {
        reset()
        void router.invalidate()
      }}
      action={<Button onClick={() => location.reload()}>Reload</Button>}
    />
  )
}

/** The outline of a page while its code is on the way. */
export function PendingPage() {
  return (
    <Box aria-busy sx={{ p: '18px 22px' }}>
      <Skeleton width={180} height={28} />
      <Skeleton width={320} sx={{ mb: 4 }} />
      <Skeleton variant="rounded" height={240} />
    </Box>
  )
}
