import type { ReactNode } from 'react'
import { ApiFailure } from '#console/api/failure.ts'
import { Page } from '#console/ui/layout/Page.tsx'
import { LinkButton } from '../LinkButton.tsx'
import { PendingPage } from '../fallbacks/PendingPage.tsx'
import { QueryError } from '../fallbacks/QueryError.tsx'

/** What a read has come to, as `useQuery` tells it. */
interface Read<T> {
  data: T | undefined
  error: unknown
  refetch: () => unknown
}

interface RecordLoaderProps<T> {
  /** What the page is called until its record is there: "Alert". */
  title: string
  read: Read<T>
  /** Where the others are. */
  list: { to: string; label: string }
  children: (record: T) => ReactNode
}

/** The page of one record, once it is there; why not, and the way to the others, where it is not. */
export function RecordLoader<T>({ title, read, list, children }: RecordLoaderProps<T>) {
  if (read.data !== undefined) return children(read.data)
  if (!read.error) return <PendingPage />
  return (
    <Page title={title}>
      <QueryError
        error={read.error}
        onRetry={() => void read.refetch()}
        elsewhere={<LinkButton to={list.to}>{list.label}</LinkButton>}
      />
    </Page>
  )
}

/** One record out of the read of all: for what the API has no read of. `thing` is what it is called: "webhook". */
export function itemOf<T extends { id: string }>(all: Read<T[]>, id: string, resource: string): Read<T> {
  const data = all.data?.find((one) => one.id === id)
  return { ...all, data, error: all.error ?? (all.data && !data ? notThere(resource, id) : null) }
}

/** What the API would answer if it had a read of one. */
export function notThere(resource: string, id: string): ApiFailure {
  return new ApiFailure({ code: 'notFound', status: 404, message: `There is no ${resource} with the id ${id}.` })
}
