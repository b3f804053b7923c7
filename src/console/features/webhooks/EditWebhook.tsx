import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { call } from '#console/api/call.ts'
import { curlOf } from '#console/api/curl.ts'
import { paths } from '#console/paths.ts'
import { useConnection } from '#console/shell/connection.tsx'
import { EditPage } from '#console/shell/record/EditPage.tsx'
import { useRecordSave } from '#console/shell/record/useRecordSave.ts'
import { rebase, theirChanges } from '#console/ui/form/conflict.ts'
import { Notice } from '#console/ui/Notice.tsx'
import { webhookInput, webhooks, type Webhook } from '#contract/webhooks.ts'
import { changesOf, unseenLosses, formatValue } from './changes.ts'
import { showFailure, useWebhookForm } from './useWebhookForm.ts'
import { readWebhook, useWebhookLock } from './useWebhooks.ts'
import { WebhookFields } from './WebhookFields.tsx'
import {
  fieldTitles,
  readForm,
  sameShown,
  showsAll,
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
  const { form, values, changed } = useWebhookForm(readForm(base), base)
  const params = { webhookId: base.id }
  const back = paths.webhook(connection.id, base.id)
  const save = useRecordSave<Webhook>({
    resource: 'webhooks',
    noun: 'webhook',
    nameOf: ({ name }) => name,
    base,
    record: webhooks.update.result,
    read: () => readWebhook(connection.id, base.id),
    // A change of headers alone shows in the date only.
    unchanged: (now) => sameShown(now, base) && now.updatedAt === base.updatedAt,
    done: (now) => now.updatedAt !== base.updatedAt && showsAll(form.getValues(), now),
    write: async (on) => {
      const body = webhookInput.parse(writeBody(form.getValues(), on))
      return call(connection.id, webhooks.update, { params, body }, { base: on })
    },
    onSaved: () => void navigate({ to: back, ignoreBlocker: true }),
    showFailure: (failure) => showFailure(form, failure),
  })
  const shown = (webhook: Webhook) => withAddress(readForm(webhook), webhook)
  const rebaseOn = (theirs: Webhook, taken: WebhookField[]) => {
    const merged = rebase(webhookFields, withAddress(form.getValues(), base), shown(base), shown(theirs), taken)
    form.reset({ ...merged, url: merged.url === theirs.url ? '' : merged.url })
    setBase(theirs)
  }
  return (
    <EditPage
      name={base.name}
      resource="webhook"
      back={back}
      form={form}
      save={save}
      changes={changed.length > 0 ? changesOf(values, base) : []}
      locked={useWebhookLock()}
      command={commandOf(connection, values, base)}
      reviewFirst
      notes={
        unseenLosses(values, base).length > 0 && (
          <Notice tone="warning">
            This save clears what cannot be read back and so cannot be brought back from here.
          </Notice>
        )
      }
      conflictOf={(theirs) => theirChanges(webhookFields, withAddress(values, base), shown(base), shown(theirs))}
      titles={fieldTitles}
      formatValue={formatValue}
      onRebase={rebaseOn}
    >
      <WebhookFields form={form} base={base} />
    </EditPage>
  )
}

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
