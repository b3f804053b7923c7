import { EditRecord } from '#console/records/record/EditRecord.tsx'
import { Notice } from '#console/ui/Notice.tsx'
import { SourceFields } from './SourceFields.tsx'
import { sourceForm } from './sourceForm.ts'
import { sourceReads, sourceResource, useSourceLock, useSourceUses } from './sourceResource.tsx'

export { sourceReads as reads }

export default function EditSourcePage() {
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
