import { EditRecord } from '#console/records/record/EditRecord.tsx'
import { recordReads } from '#console/records/record/recordCalls.ts'
import { alerts } from '#contract/stack/alerts.ts'
import { sources } from '#contract/stack/sources.ts'
import { Notice } from '#console/ui/Notice.tsx'
import { SavedSearchFields } from './SavedSearchFields.tsx'
import { savedSearchForm } from './savedSearchForm.ts'
import { savedSearchResource, useSavedSearchUses } from './savedSearchResource.tsx'

export const reads = recordReads(savedSearchResource, alerts.list, sources.list)

export default function EditSavedSearchPage() {
  const usesOf = useSavedSearchUses()
  return (
    <EditRecord
      resource={savedSearchResource}
      model={savedSearchForm}
      reviewFirst
      renderNotes={(_, base) => {
        const summary = usesOf?.(base.id).summary
        return summary && <Notice tone="info">Used by {summary}. The next evaluation uses the new condition.</Notice>
      }}
    >
      {(form) => <SavedSearchFields form={form} />}
    </EditRecord>
  )
}
