import type { ReactNode } from 'react'
import { errorWords, mayRetry } from '#console/api/errors.ts'
import { asFailure } from '#console/api/failure.ts'
import { paths } from '#console/paths.ts'
import { ErrorState } from '#console/ui/ErrorState.tsx'
import { LinkButton } from '../LinkButton.tsx'
import { NotOffered } from './NotOffered.tsx'

interface QueryErrorProps {
  error: unknown
  onRetry: () => void
  /** A way on when the thing itself is not there: its list. */
  elsewhere?: ReactNode
}

/** In the place of data that could not be read: why, and what can be done about it. */
export function QueryError({ error, onRetry, elsewhere }: QueryErrorProps) {
  const { code, message } = asFailure(error)
  if (code === 'notOffered') return <NotOffered reason={message} onAsk={onRetry} />
  const aboutKey = code === 'keyRejected' || code === 'forbidden'
  return (
    <ErrorState
      error={errorWords(error, location.pathname)}
      {...(mayRetry(error) || aboutKey ? { onRetry } : {})}
      action={
        aboutKey ? <LinkButton to={paths.connections()}>Connections</LinkButton> : code === 'notFound' && elsewhere
      }
    />
  )
}
