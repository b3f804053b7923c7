import type { ComponentProps, ReactNode } from 'react'
import { LoadingPanels } from '#console/ui/layout/LoadingPanels.tsx'
import { Page } from '#console/ui/layout/Page.tsx'
import { capitalized, plural } from '#domain/text/words.ts'
import { useConnection } from '#console/shell/connection.tsx'
import { MissingRecord } from '#console/shell/fallbacks/MissingRecord.tsx'
import { QueryError } from '#console/shell/fallbacks/QueryError.tsx'
import { LinkButton } from '#console/shell/LinkButton.tsx'
import type { RecordBase, Resource } from './resource.ts'
import { useRecord, useRecordKey, type Read } from './useRecord.ts'

interface RecordLoaderProps<T> {
  /** The title of the page until its record is loaded: "Alert". */
  title: string
  read: Read<T>
  /** The list of all records. */
  list: { to: string; label: string }
  /** The history query if it is not found. */
  record?: Omit<ComponentProps<typeof MissingRecord>, 'error' | 'onRetry' | 'list'>
  /** Links to the other pages of the record: they are there before it is loaded. */
  nav?: ReactNode
  children: (record: T) => ReactNode
}

/** The page of one record, once it is loaded; why it could not be loaded, with a link to the list. */
export function RecordLoader<T>({ title, read, list, record, nav, children }: RecordLoaderProps<T>) {
  if (read.data !== undefined) return children(read.data)
  const hasFailed = Boolean(read.error)
  const failed = { error: read.error, onRetry: () => void read.refetch() }
  return (
    <Page title={title} nav={nav}>
      {!hasFailed && <LoadingPanels heights={panelHeights} />}
      {hasFailed && record && <MissingRecord {...failed} list={list} {...record} />}
      {hasFailed && !record && (
        <QueryError {...failed} elsewhere={<LinkButton to={list.to}>{list.label}</LinkButton>} />
      )}
    </Page>
  )
}

/** About those of most records: a chart or what describes it, then the rest. */
const panelHeights = [260, 180]

interface ResourceLoaderProps<T extends RecordBase> {
  resource: Resource<T>
  /** The title of the page until its record is loaded. Default: the long noun. */
  title?: string
  /** Links to the other pages of the record. */
  nav?: ReactNode
  /** Milliseconds between two reads while the page is open. */
  pollInterval?: number
  children: (record: T, read: Read<T>) => ReactNode
}

/** The page of the record that the URL names, once it is loaded. */
export function ResourceLoader<T extends RecordBase>(props: ResourceLoaderProps<T>) {
  const { resource, title = capitalized(resource.longNoun), nav, pollInterval, children } = props
  const { id: connectionId } = useConnection()
  const key = useRecordKey(resource)
  const read = useRecord(resource, key, pollInterval)
  const { name: kind, longNoun: noun } = resource
  return (
    <RecordLoader
      title={title}
      read={read}
      nav={nav}
      record={{ kind, id: key.at(-1) ?? '', noun, pathOf: resource.paths.detail }}
      list={{ to: resource.paths.list(connectionId), label: `All ${plural(resource.longNoun)}` }}
    >
      {(record) => children(record, read)}
    </RecordLoader>
  )
}
