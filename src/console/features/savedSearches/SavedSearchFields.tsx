import { useQuery } from '@tanstack/react-query'
import { useWatch, type UseFormReturn } from 'react-hook-form'
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
import { sources } from '#contract/stack/sources.ts'
import { fieldTitles, type SavedSearchForm } from './savedSearchForm.ts'

/** The fields of a saved search, shared by create and edit. */
export function SavedSearchFields({ form: { control } }: { form: UseFormReturn<SavedSearchForm> }) {
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
