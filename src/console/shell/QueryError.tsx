import { errorWords, mayRetry } from '#console/api/errors.ts'
import { asFailure } from '#console/api/failure.ts'
import { paths } from '#console/paths.ts'
import { ErrorState } from '#console/ui/ErrorState.tsx'
import { LinkButton } from './LinkButton.tsx'
import { NotOffered } from './NotOffered.tsx'

/** In the place of data that could not be read: why, and what can be done about it. */
export function QueryError({ error, onRetry }: { error: unknown; onRetry: () => void }) {
  const { code, message } = asFailure(error)
  if (code === 'notOffered') return <NotOffered reason={message} onAsk={onRetry} />
  const aboutKey = code === 'keyRejected' || code === 'forbidden'
  return (
    <ErrorState
      error={errorWords(error, location.pathname)}
      {...(mayRetry(error) || aboutKey ? { onRetry } : {})}
      action={aboutKey && <LinkButton to={paths.connections()}>Connections</LinkButton>}
    />
  )
}
