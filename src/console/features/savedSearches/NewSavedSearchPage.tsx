import { useLocation } from '@tanstack/react-router'
import { NewRecord } from '#console/records/record/NewRecord.tsx'
import { parseSearch } from '#console/shell/urlState.ts'
import { SavedSearchFields } from './SavedSearchFields.tsx'
import { readForm, savedSearchForm } from './savedSearchForm.ts'
import { savedSearchResource } from './savedSearchResource.tsx'

/** Starts with the search in the URL, which the search page writes there. */
export default function NewSavedSearchPage() {
  const prefilled = parseSearch(useLocation({ select: (location) => location.searchStr }))
  return (
    <NewRecord
      resource={savedSearchResource}
      model={savedSearchForm}
      start={readForm({ ...prefilled, tags: [], filters: [] })}
      lead="A search of logs or traces to open again, and to alert on."
    >
      {(form) => <SavedSearchFields form={form} />}
    </NewRecord>
  )
}
