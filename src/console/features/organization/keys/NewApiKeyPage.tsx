import { useState } from 'react'
import { pageReads } from '#console/api/queries.ts'
import { useApiMutation } from '#console/api/useApiMutation.ts'
import { paths } from '#console/paths/paths.ts'
import { useConnection } from '#console/shell/connection.tsx'
import { lockReason } from '#console/shell/lockReason.ts'
import { NewPage } from '#console/records/record/NewPage.tsx'
import { showRefusals, useRecordForm } from '#console/records/record/recordForm.ts'
import type { ErrorText } from '#console/ui/ErrorState.tsx'
import { apiKeyInput, apiKeys, type CreatedApiKey } from '#contract/cloud/organization/apiKeys.ts'
import { roles } from '#contract/cloud/organization/roles.ts'
import { LinkButton } from '#console/shell/LinkButton.tsx'
import { CopyButton } from '#console/ui/actions/CopyButton.tsx'
import { CopyId } from '#console/ui/actions/CopyId.tsx'
import { DescriptionList } from '#console/ui/DescriptionList.tsx'
import { Page } from '#console/ui/layout/Page.tsx'
import { Panel } from '#console/ui/layout/Panel.tsx'
import { Notice } from '#console/ui/Notice.tsx'
import { ApiKeyFields } from './ApiKeyFields.tsx'
import { apiKeyForm, emptyForm } from './apiKeyForm.ts'
import * as css from '../organization.module.css'

export const reads = pageReads(roles.list)

const pagesOf = {
  longNoun: 'API key',
  paths: { list: paths.apiKeys, new: paths.newApiKey, detail: paths.apiKey, edit: paths.editApiKey },
}

/** The form of a new key, then its secret, which no later request returns. */
export default function NewApiKeyPage() {
  const connection = useConnection()
  const { form } = useRecordForm(apiKeyForm, emptyForm, null, connection)
  const { isDirty } = form.formState
  const [created, setCreated] = useState<CreatedApiKey | null>(null)
  const [error, setError] = useState<ErrorText | null>(null)
  const write = useApiMutation(connection.id, apiKeys.create, {
    onSuccess: setCreated,
    titles: apiKeyForm.titles,
    onError: (failure) => setError(showRefusals(apiKeyForm, form, failure, null)),
  })
  const submit = form.handleSubmit((filled) => {
    setError(null)
    write.mutate({ body: apiKeyInput.parse(apiKeyForm.body(filled, null, connection, null)) })
  })
  if (created) return <CreatedKey created={created} />
  return (
    <NewPage
      resource={pagesOf}
      lead="A key for programs that use the management API. Its secret is shown once, after it is created."
      creating={{ pending: write.isPending, error, unknown: write.error?.code === 'outcomeUnknown' }}
      onSubmit={() => void submit()}
      submitLabel="Create API key"
      dirty={isDirty}
      locked={lockReason(connection)}
      wide={false}
    >
      <ApiKeyFields form={form} />
    </NewPage>
  )
}

/** A new key with its secret. Nothing keeps it: it is gone with this page. */
function CreatedKey({ created: { key, keyId, keySecret } }: { created: CreatedApiKey }) {
  const { id: connectionId } = useConnection()
  return (
    <Page title={key.name} lead="The API key was created.">
      <div className={css.createdKey}>
        {keyId && keySecret ? (
          <>
            <Notice tone="warning" role="status">
              Copy the secret now: it is shown only once.
            </Notice>
            <Panel title="Key ID and secret">
              <DescriptionList
                rows={[
                  ['Key ID', <CopyId key="id" id={keyId} label="Copy key ID" />],
                  ['Secret', <CopyId key="secret" id={keySecret} label="Copy secret" />],
                ]}
              />
              <div className={css.both}>
                <CopyButton text={`${keyId}:${keySecret}`} label="Copy both as ID:secret" />
              </div>
            </Panel>
          </>
        ) : (
          <Notice tone="info">The deployment returned no secret.</Notice>
        )}
        <div className={css.links}>
          <LinkButton to={paths.apiKey(connectionId, key.id)}>Open the key</LinkButton>
          <LinkButton to={paths.apiKeys(connectionId)}>All API keys</LinkButton>
        </div>
      </div>
    </Page>
  )
}
