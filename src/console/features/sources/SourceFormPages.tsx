/** The forms of a new and of a stored source. */
import { useQuery } from '@tanstack/react-query'
import { z } from 'zod'
import { q } from '#console/api/queries.ts'
import { useConnection } from '#console/shell/connection.tsx'
import { NewRecord } from '#console/records/record/NewRecord.tsx'
import { listReads } from '#console/records/record/recordCalls.ts'
import { useUrlState } from '#console/shell/urlState.ts'
import { LoadingPanels } from '#console/ui/layout/LoadingPanels.tsx'
import { Page } from '#console/ui/layout/Page.tsx'
import { sources } from '#contract/stack/sources.ts'
import { EditRecord } from '#console/records/record/EditRecord.tsx'
import { Notice } from '#console/ui/Notice.tsx'
import { SourceFields } from './SourceFields.tsx'
import { emptyForm, sourceForm } from './sourceForm.ts'
import { useDataConnections } from './useDataConnections.ts'
import { sourceResource, useSourceLock, sourceReads, useSourceUses } from './sourceResource.tsx'

NewSourcePage.reads = listReads(sourceResource)

/** Starts with a table that another page leads from. */
const search = z.object({ database: z.string().catch('').default(''), table: z.string().catch('').default('') })

/** Starts with the data connection of the other sources, or with the only one that there is. */
export function NewSourcePage() {
  const connection = useConnection()
  const locked = useSourceLock()
  const [{ database, table }] = useUrlState(search)
  const { data, isPending } = useQuery(q(connection.id, sources.list, {}))
  const { listed, isLoading } = useDataConnections()
  const used = data?.find((source) => source.connection)?.connection
  if (isPending || (used === undefined && isLoading)) {
    return (
      <Page title="New source">
        <LoadingPanels heights={[420]} />
      </Page>
    )
  }
  return (
    <NewRecord
      resource={sourceResource}
      model={sourceForm}
      locked={locked}
      start={{
        ...emptyForm(used ?? (listed?.length === 1 ? (listed[0]?.id ?? '') : '')),
        ...(table !== '' && { name: table, tableName: table }),
        ...(database !== '' && { databaseName: database }),
      }}
      lead="A table to read from, and what its columns mean."
    >
      {(form) => <SourceFields form={form} base={null} />}
    </NewRecord>
  )
}

EditSourcePage.reads = sourceReads

export function EditSourcePage() {
  const usesOf = useSourceUses()
  return (
    <EditRecord
      resource={sourceResource}
      model={sourceForm}
      locked={useSourceLock()}
      reviewFirst
      renderNotes={(_, base) => {
        const summary = usesOf?.(base.id).summary
        return summary && <Notice tone="info">Used by {summary}, which read the new values at once.</Notice>
      }}
    >
      {(form, base) => <SourceFields form={form} base={base} />}
    </EditRecord>
  )
}
