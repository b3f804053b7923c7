import type { ReactNode } from 'react'
import { asFailure } from '#console/api/failure.ts'
import { lazyComponent } from '#console/ui/base/lazyComponent.tsx'
import { LinkButton } from '../LinkButton.tsx'
import type { GoneRecordProps } from './GoneRecord.tsx'
import { QueryError } from './QueryError.tsx'

const GoneRecord = lazyComponent(async () => (await import('./GoneRecord.tsx')).GoneRecord)

interface MissingRecordProps extends Omit<GoneRecordProps, 'list' | 'children'> {
  error: unknown
  onRetry: () => void
  list: { to: string; label: string }
}

/** In place of the page of a record that could not be read: why, and what became of one that is not found. */
export function MissingRecord({ error, onRetry, list, ...record }: MissingRecordProps): ReactNode {
  const link = <LinkButton to={list.to}>{list.label}</LinkButton>
  const problem = <QueryError error={error} onRetry={onRetry} elsewhere={link} />
  if (asFailure(error).code !== 'notFound') return problem
  return (
    <GoneRecord {...record} list={link}>
      {problem}
    </GoneRecord>
  )
}
