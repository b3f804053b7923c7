import { useQuery } from '@tanstack/react-query'
import { q, readAhead } from '#console/api/queries.ts'
import { paths } from '#console/paths.ts'
import { useConnection } from '#console/shell/connection.tsx'
import { NewPage } from '#console/shell/record/NewPage.tsx'
import { PendingPage } from '#console/shell/fallbacks/PendingPage.tsx'
import { useRecordCreate } from '#console/shell/record/useRecordCreate.ts'
import { sourceInput, sources } from '#contract/sources.ts'
import { emptyForm, writeBody } from './sourceForm.ts'
import { SourceFields } from './SourceFields.tsx'
import { showFailure, useSourceForm } from './useSourceForm.ts'
import { useSourceLock } from './useSources.ts'

export function reads({ connectionId = '' }: Record<string, string>) {
  readAhead(connectionId, sources.list, {})
}

/** The first field to be known is the database: that of the sources there are. */
export default function NewSourcePage() {
  const connection = useConnection()
  const { data, isPending } = useQuery(q(connection.id, sources.list, {}))
  if (isPending) return <PendingPage />
  return <NewSource connectionOfOthers={data?.find((source) => source.connection)?.connection ?? ''} />
}

function NewSource({ connectionOfOthers }: { connectionOfOthers: string }) {
  const connection = useConnection()
  const { form, changed } = useSourceForm(emptyForm(connectionOfOthers), null)
  const { create, ...creating } = useRecordCreate(sources.create, {
    resource: 'source',
    nameOf: ({ name }) => name,
    pathOf: ({ id }) => paths.source(connection.id, id),
    showFailure: (failure) => showFailure(form, failure),
  })
  const submit = form.handleSubmit((values) => create({ body: sourceInput.parse(writeBody(values, null)) }))
  return (
    <NewPage
      resource="source"
      lead="A table to read from, and what its columns mean."
      list={paths.sources(connection.id)}
      creating={creating}
      onSubmit={() => void submit()}
      dirty={changed.length > 0 && form.formState.isDirty}
      locked={useSourceLock()}
    >
      <SourceFields form={form} base={null} />
    </NewPage>
  )
}
