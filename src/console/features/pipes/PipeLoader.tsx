import type { ReactNode } from 'react'
import { readAhead } from '#console/api/queries.ts'
import { paths } from '#console/paths/paths.ts'
import { useConnection } from '#console/shell/connection.tsx'
import { RecordLoader } from '#console/shell/record/RecordLoader.tsx'
import { pipes, type Pipe } from '#contract/pipes.ts'
import { usePipe } from './model/usePipe.ts'

/** Prefetches what every page of a pipe reads. */
export function readPipe({ connectionId = '', serviceId = '', dataPipeId = '' }: Record<string, string>) {
  readAhead(connectionId, pipes.get, { params: { serviceId, dataPipeId } })
}

interface PipeLoaderProps {
  title: string
  children: (pipe: Pipe, read: ReturnType<typeof usePipe>) => ReactNode
}

/** Renders its children once the pipe of the current route is loaded. */
export function PipeLoader({ title, children }: PipeLoaderProps) {
  const { id: connectionId } = useConnection()
  const read = usePipe()
  return (
    <RecordLoader title={title} read={read} list={{ to: paths.pipes(connectionId), label: 'All data pipes' }}>
      {(pipe) => children(pipe, read)}
    </RecordLoader>
  )
}
