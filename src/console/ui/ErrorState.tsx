import Box from '@mui/material/Box'
import Button from '@mui/material/Button'
import Typography from '@mui/material/Typography'
import { CircleAlert } from 'lucide-react'
import type { ReactNode } from 'react'
import { Centered, CenteredActions } from './layout/Centered.tsx'
import { CopyButton } from './actions/CopyButton.tsx'
import { Countdown } from './Countdown.tsx'

export interface ErrorText {
  title: string
  sentence: string
  /** The error text of the deployment. */
  reason?: string
  advice: string
  requestId?: string
  /** When another try makes sense, in epoch milliseconds. */
  retryAt?: number
  /** For pasting into a report. */
  bundle: string
}

interface ErrorStateProps {
  error: ErrorText
  onRetry?: () => void
  /** Retries automatically when the wait is over. */
  retries?: boolean
  /** Further ways on. */
  action?: ReactNode
}

/** An error with advice, request ID and details to copy. Announced when it appears. */
export function ErrorState({ error, onRetry, retries = false, action }: ErrorStateProps) {
  return (
    <Centered alert>
      <Box sx={{ color: 'error.main' }}>
        <CircleAlert size={28} strokeWidth={1.4} aria-hidden />
      </Box>
      <Typography variant="h2" component="p">
        {error.title}
      </Typography>
      {error.sentence !== `${error.title}.` && (
        <Typography sx={{ maxWidth: 560, overflowWrap: 'anywhere' }}>{error.sentence}</Typography>
      )}
      {error.reason && (
        <Box component="code" sx={{ maxWidth: 560, overflowWrap: 'anywhere' }}>
          {error.reason}
        </Box>
      )}
      <Typography color="textSecondary" sx={{ maxWidth: 560 }}>
        {error.advice}{' '}
        {error.retryAt !== undefined && (
          <Countdown key={error.retryAt} until={error.retryAt} onEnd={retries ? onRetry : undefined} />
        )}
      </Typography>
      {error.requestId && (
        <Typography variant="caption" color="textSecondary">
          Request ID <code>{error.requestId}</code>
        </Typography>
      )}
      <CenteredActions>
        {onRetry && <Button onClick={onRetry}>Try again</Button>}
        {action}
        <CopyButton text={error.bundle} label="Copy details" />
      </CenteredActions>
    </Centered>
  )
}
