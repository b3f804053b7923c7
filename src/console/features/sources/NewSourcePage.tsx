import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { q, readAhead } from '#console/api/queries.ts'
import { useApiMutation } from '#console/api/useApiMutation.ts'
import { paths } from '#console/paths.ts'
import { useConnection } from '#console/shell/connection.tsx'
import { LinkButton } from '#console/shell/LinkButton.tsx'
import { PendingPage } from '#console/shell/PendingPage.tsx'
import { toast } from '#console/shell/toasts.tsx'
import type { ErrorText } from '#console/ui/ErrorState.tsx'
import { FormPage } from '#console/ui/form/FormPage.tsx'
import { Page } from '#console/ui/Page.tsx'
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
  const navigate = useNavigate()
  const { form, changed } = useSourceForm(emptyForm(connectionOfOthers), null)
  const [error, setError] = useState<ErrorText | null>(null)
  const list = paths.sources(connection.id)
  const create = useApiMutation(connection.id, sources.create, {
    onSuccess: (source) => {
      toast({ tone: 'ok', text: `Source ${source.name} created.` })
      return navigate({ to: paths.source(connection.id, source.id), ignoreBlocker: true })
    },
    onError: (failure) => setError(showFailure(form, failure)),
  })

  const submit = form.handleSubmit((values) => {
    setError(null)
    create.mutate({ body: sourceInput.parse(writeBody(values, null)) })
  })

  return (
    <Page title="New source" lead="A table to read from, and what its columns mean.">
      <FormPage
        onSubmit={() => void submit()}
        submitLabel="Create source"
        onCancel={() => void navigate({ to: list })}
        loading={create.isPending}
        submitError={error}
        errorAction={create.error?.code === 'outcomeUnknown' && <LinkButton to={list}>Look at the list</LinkButton>}
        dirty={changed.length > 0 && form.formState.isDirty}
        changes="1 new source · 1 request of your budget"
        disabled={useSourceLock()}
      >
        <SourceFields form={form} base={null} />
      </FormPage>
    </Page>
  )
}
