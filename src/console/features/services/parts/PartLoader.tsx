import type { ReactNode } from 'react'
import { asFailure } from '#console/api/failure.ts'
import { QueryError } from '#console/shell/fallbacks/QueryError.tsx'
import { LoadingPanels } from '#console/ui/layout/LoadingPanels.tsx'
import { Panel } from '#console/ui/layout/Panel.tsx'

/** The result of a query of a part, as far as it matters here. */
interface PartRead<T> {
  data: T | undefined
  error: unknown
  refetch: () => unknown
}

interface PartLoaderProps<T> {
  /** The title of its panel. */
  title: string
  read: PartRead<T>
  /** A 404 means that the part is not set. Without it, a 404 is an error. */
  mayBeUnset?: boolean
  height: number
  children: (stored: T | null) => ReactNode
}

/** A part of a service once it is read, as not set, or why it could not be read. */
export function PartLoader<T>({ title, read, mayBeUnset = false, height, children }: PartLoaderProps<T>) {
  const { data, error, refetch } = read
  const code = error ? asFailure(error).code : undefined
  // After a deletion, the data of the last read is still there.
  if (mayBeUnset && code === 'notFound') return children(null)
  if (data !== undefined) return children(data)
  if (code === undefined) return <LoadingPanels heights={[height]} />
  return (
    <Panel title={title}>
      <QueryError error={error} onRetry={() => void refetch()} />
    </Panel>
  )
}
