import type { ReactNode } from 'react'
import { formatError, mayRetry } from '#console/api/errors.ts'
import { asFailure, type ApiFailure } from '#console/api/failure.ts'
import { paths } from '#console/paths/paths.ts'
import { ErrorState } from '#console/ui/ErrorState.tsx'
import { LinkButton } from '../LinkButton.tsx'
import { useFrameConnection } from '../connection.tsx'
import { NotOffered } from './NotOffered.tsx'

/** Errors that another key or another address of the connection fixes. */
const fixedInConnection: ApiFailure['code'][] = ['keyRejected', 'forbidden', 'unreachable']

interface QueryErrorProps {
  error: unknown
  onRetry: () => void
  /** A link for a missing record: its list. */
  elsewhere?: ReactNode
}

/** Shown instead of data that could not be read: the error and its actions. */
export function QueryError({ error, onRetry, elsewhere }: QueryErrorProps) {
  const { connection, inAddress } = useFrameConnection()
  const { code, message } = asFailure(error)
  if (code === 'notOffered') return <NotOffered reason={message} onTryAnyway={onRetry} />
  const fixable = inAddress && connection && fixedInConnection.includes(code)
  return (
    <ErrorState
      error={formatError(error, location.pathname)}
      {...(mayRetry(error) || fixable ? { onRetry } : {})}
      retries={code === 'rateLimited'}
      action={
        fixable ? (
          <LinkButton to={paths.editConnection(connection.id)}>Edit the connection</LinkButton>
        ) : (
          code === 'notFound' && elsewhere
        )
      }
    />
  )
}
