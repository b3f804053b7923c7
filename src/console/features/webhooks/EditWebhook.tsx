import Button from '@mui/material/Button'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { curlOf } from '#console/api/curl.ts'
import { paths } from '#console/paths.ts'
import { useConnection } from '#console/shell/connection.tsx'
import { ReviewDialog } from '#console/shell/ReviewDialog.tsx'
import { toast } from '#console/shell/toasts.tsx'
import { changeCount } from '#console/ui/ChangeTable.tsx'
import { rebase, theirChanges } from '#console/ui/form/conflict.ts'
import { ConflictPanel } from '#console/ui/form/ConflictPanel.tsx'
import { FormPage } from '#console/ui/form/FormPage.tsx'
import { Notice } from '#console/ui/Notice.tsx'
import { Page } from '#console/ui/Page.tsx'
import { webhookInput, webhooks, type Webhook } from '#contract/webhooks.ts'
import { changesOf, unseenLosses, valueWords } from './changes.ts'
import { useSaveWebhook } from './useSaveWebhook.ts'
import { useWebhookForm } from './useWebhookForm.ts'
import { useWebhookLock } from './useWebhooks.ts'
import { WebhookFields } from './WebhookFields.tsx'
import {
  fieldTitles,
  readForm,
  webhookFields,
  withAddress,
  writeBody,
  type WebhookField,
  type WebhookForm,
} from './webhookForm.ts'

/** Edits what was read. What cannot be read is kept unless it is entered again, and the review says what is not kept. */
export function EditWebhook({ read }: { read: Webhook }) {
  const connection = useConnection()
  const navigate = useNavigate()
  const [base, setBase] = useState(read)
  const [reviewing, setReviewing] = useState(false)
  const { form, values, changed } = useWebhookForm(readForm(base), base)
  const here = paths.webhook(connection.id, base.id)
  const leave = () => navigate({ to: here, ignoreBlocker: true })
  const save = useSaveWebhook({
    form,
    base,
    onSaved: (webhook) => {
      toast({ tone: 'ok', text: `Webhook ${webhook.name} saved.` })
      void leave()
    },
  })
  const { theirs } = save
  const shown = (webhook: Webhook) => withAddress(readForm(webhook), webhook)
  const locked = useWebhookLock()

  const resolve = (now: Webhook, taken: WebhookField[]) => {
    const merged = rebase(webhookFields, withAddress(form.getValues(), base), shown(base), shown(now), taken)
    setBase(now)
    form.reset(readForm(now))
    const next: WebhookForm = { ...merged, url: merged.url === now.url ? '' : merged.url }
    for (const field of webhookFields) form.setValue(field, next[field], { shouldDirty: true })
    save.clear()
  }

  const review = form.handleSubmit(() => {
    if (changed.length > 0) return setReviewing(true)
    toast({ tone: 'ok', text: 'Nothing was changed, so nothing was sent.' })
    void leave()
  })

  const changes = changed.length > 0 ? changesOf(values, base) : []
  return (
    <Page title={`Edit ${base.name}`}>
      <FormPage
        onSubmit={() => void review()}
        submitLabel="Review and save"
        onCancel={() => void navigate({ to: here })}
        loading={save.pending}
        submitError={save.error}
        errorAction={save.unknown && <Button onClick={() => void save.look()}>Look at it now</Button>}
        dirty={changed.length > 0}
        changes={changeCount(changes)}
        disabled={locked ?? (theirs ? 'Decide about the other version first.' : undefined)}
      >
        {theirs && (
          <ConflictPanel
            thing="webhook"
            rows={theirChanges(webhookFields, withAddress(values, base), shown(base), shown(theirs))}
            titles={fieldTitles}
            valueWords={valueWords}
            onResolve={(taken) => resolve(theirs, taken)}
          />
        )}
        <WebhookFields form={form} base={base} />
      </FormPage>
      {reviewing && (
        <ReviewDialog
          title={`Save ${base.name}?`}
          changes={changes}
          requests={requests}
          command={commandOf(connection, values, base)}
          action="Save webhook"
          disabled={locked}
          onSend={() => {
            setReviewing(false)
            void save.submit()
          }}
          onClose={() => setReviewing(false)}
        >
          {unseenLosses(values, base).length > 0 && (
            <Notice tone="warning">
              This save clears what cannot be read back and so cannot be brought back from here.
            </Notice>
          )}
        </ReviewDialog>
      )}
    </Page>
  )
}

const requests = ['read again', 'write']

/** Values of headers and parameters, and the address, are for the reader to fill in. */
function commandOf(connection: ReturnType<typeof useConnection>, form: WebhookForm, base: Webhook): string | null {
  const hidden = ({ kept, pairs }: WebhookForm['headers']) => ({
    kept,
    pairs: pairs.map((pair) => ({ ...pair, value: '***' })),
  })
  const masked = { ...form, headers: hidden(form.headers), queryParams: hidden(form.queryParams) }
  const body = webhookInput.safeParse({ ...writeBody(masked, base), url: 'https://address-of-the-webhook' })
  return body.success ? curlOf(connection, webhooks.update, { params: { webhookId: base.id }, body: body.data }) : null
}
