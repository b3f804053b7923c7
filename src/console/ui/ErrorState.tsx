import { CircleAlert } from 'lucide-react'
import type { ReactNode } from 'react'
import { Centered, CenteredActions } from './layout/Centered.tsx'
import { CopyButton } from './actions/CopyButton.tsx'
import { Countdown } from './Countdown.tsx'
import { Text } from '#console/ui/base/Text.tsx'
import { Button } from '#console/ui/base/Button.tsx'
import * as css from './ui.module.css'

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
  /** No fault, but something to know. */
  isInfo?: true
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
      <div className={css.errorStateIcon}>
        <CircleAlert size={28} strokeWidth={1.4} aria-hidden />
      </div>
      <Text variant="h2" component="p">
        {error.title}
      </Text>
      {error.sentence !== `${error.title}.` && <Text className={css.errorStateMessage}>{error.sentence}</Text>}
      {error.reason && <code className={css.errorStateMessage}>{error.reason}</code>}
      <Text color="textSecondary" className={css.errorStateAdvice}>
        {error.advice}{' '}
        {error.retryAt !== undefined && (
          <Countdown key={error.retryAt} until={error.retryAt} onEnd={retries ? onRetry : undefined} />
        )}
      </Text>
      {error.requestId && (
        <Text variant="caption" color="textSecondary">
          Request ID <code>{error.requestId}</code>
        </Text>
      )}
      <CenteredActions>
        {onRetry && <Button onClick={onRetry}>Try again</Button>}
        {action}
        <CopyButton text={error.bundle} label="Copy details" />
      </CenteredActions>
    </Centered>
  )
}
