/** The forms of a new and of a stored webhook. */
import { NewRecord } from '#console/records/record/NewRecord.tsx'
import { EditRecord } from '#console/records/record/EditRecord.tsx'
import { recordReads } from '#console/records/record/recordCalls.ts'
import { Notice } from '#console/ui/Notice.tsx'
import { WebhookFields } from './form/WebhookFields.tsx'
import { emptyForm, changedFields, isReturned } from './form/webhookForm.ts'
import { webhookForm } from './form/webhookModel.ts'
import { useWebhookLock, webhookResource } from './webhookResource.tsx'
import { changesOf, commandBody, needsKeys, unseenLosses } from './form/changes.ts'

export function NewWebhookPage() {
  return (
    <NewRecord
      resource={webhookResource}
      model={webhookForm}
      start={emptyForm}
      locked={useWebhookLock()}
      lead="An HTTP endpoint that receives the notifications of alerts."
    >
      {(form) => <WebhookFields form={form} base={null} />}
    </NewRecord>
  )
}

EditWebhookPage.reads = recordReads(webhookResource)

export function EditWebhookPage() {
  return (
    <EditRecord
      resource={webhookResource}
      model={webhookForm}
      locked={useWebhookLock()}
      reviewFirst
      undoable={(form, base) => changedFields(form, base).every((field) => isReturned(field, base))}
      changesOf={changesOf}
      commandBody={commandBody}
      renderNotes={(form, base) => (
        <>
          {unseenLosses(form, base).length > 0 && (
            <Notice tone="warning">
              This save clears values that the API does not return. They cannot be restored from here.
            </Notice>
          )}
          {needsKeys(form, base) && (
            <Notice tone="info">
              The command has *** in place of keys and a placeholder in place of the URL: fill them in before you run
              it.
            </Notice>
          )}
        </>
      )}
    >
      {(form, base) => <WebhookFields form={form} base={base} />}
    </EditRecord>
  )
}
