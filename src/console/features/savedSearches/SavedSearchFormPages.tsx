/** The forms of a new and of a stored saved search. */
import { useLocation } from '@tanstack/react-router'
import { useQuery } from '@tanstack/react-query'
import { useWatch, type UseFormReturn } from 'react-hook-form'
import { NewRecord } from '#console/records/record/NewRecord.tsx'
import { parseSearch } from '#console/shell/urlState.ts'
import { EditRecord } from '#console/records/record/EditRecord.tsx'
import { recordReads } from '#console/records/record/recordCalls.ts'
import { alerts } from '#contract/stack/alerts.ts'
import { sources } from '#contract/stack/sources.ts'
import { Notice } from '#console/ui/Notice.tsx'
import { q } from '#console/api/queries.ts'
import { useConnection } from '#console/shell/connection.tsx'
import { ConditionHelp } from '#console/charting/conditions/ConditionHelp.tsx'
import { languages } from '#console/charting/conditions/conditions.ts'
import { FieldGrid } from '#console/ui/form/FieldGrid.tsx'
import { NamesField } from '#console/ui/form/fields/NamesField.tsx'
import { PickField } from '#console/ui/form/fields/PickField.tsx'
import { SelectField } from '#console/ui/form/fields/SelectField.tsx'
import { TextField } from '#console/ui/form/fields/TextField.tsx'
import { Panel } from '#console/ui/layout/Panel.tsx'
import { searchLimits } from '#contract/stack/savedSearches.ts'
import { readForm, savedSearchForm, fieldTitles, type SavedSearchForm } from './savedSearchForm.ts'
import { savedSearchResource, useSavedSearchUses } from './savedSearchResource.tsx'

/** Starts with the search in the URL, which the search page writes there. */
export function NewSavedSearchPage() {
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

EditSavedSearchPage.reads = recordReads(savedSearchResource, alerts.list, sources.list)

export function EditSavedSearchPage() {
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

/** The fields of a saved search. */
function SavedSearchFields({ form: { control } }: { form: UseFormReturn<SavedSearchForm> }) {
  const language = useWatch({ control, name: 'whereLanguage' })
  const { data, isPending } = useQuery(q(useConnection().id, sources.list, {}))
  const searchable = (data ?? []).filter(({ kind }) => kind === 'log' || kind === 'trace')
  return (
    <>
      <Panel title="Search" aside={<ConditionHelp />}>
        <FieldGrid>
          <TextField control={control} name="name" label={fieldTitles.name} required maxLength={searchLimits.name} />
          <PickField
            control={control}
            name="sourceId"
            label={fieldTitles.sourceId}
            required
            options={searchable.map(({ id, name, kind }) => ({ value: id, label: name, detail: kind }))}
            loading={isPending}
            placeholder="Choose a source"
          />
          <SelectField control={control} name="whereLanguage" label={fieldTitles.whereLanguage} options={languages} />
          <TextField
            control={control}
            name="where"
            label={fieldTitles.where}
            mono
            maxLength={searchLimits.where}
            placeholder={language === 'sql' ? "SeverityText = 'error'" : 'SeverityText:error'}
            help="Leave empty to match all rows."
          />
        </FieldGrid>
      </Panel>
      <Panel title="Result" aside="optional">
        <FieldGrid>
          <TextField
            control={control}
            name="select"
            label={fieldTitles.select}
            mono
            maxLength={searchLimits.select}
            placeholder="Timestamp, ServiceName, Body"
            help="SQL expressions. Leave empty for the default columns of the source."
          />
          <TextField
            control={control}
            name="orderBy"
            label={fieldTitles.orderBy}
            mono
            maxLength={searchLimits.orderBy}
            placeholder="Timestamp DESC"
            help="Leave empty for newest first."
          />
          <TextField
            control={control}
            name="filters"
            label={fieldTitles.filters}
            lines={2}
            mono
            placeholder="ServiceName IN ('checkout', 'payment')"
            help="One SQL condition on each line: IN (…), NOT IN (…) or BETWEEN n AND n."
          />
          <NamesField control={control} name="tags" label={fieldTitles.tags} help="Enter or a comma ends a tag." />
        </FieldGrid>
      </Panel>
    </>
  )
}
