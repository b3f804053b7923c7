import { useFieldArray, useWatch, type UseFormReturn } from 'react-hook-form'
import { ChecksField } from '#console/ui/form/fields/ChecksField.tsx'
import { DateTimeField } from '#console/ui/form/fields/DateTimeField.tsx'
import { FieldGrid } from '#console/ui/form/FieldGrid.tsx'
import { RowList } from '#console/ui/form/RowList.tsx'
import { TextField } from '#console/ui/form/fields/TextField.tsx'
import { Panel } from '#console/ui/layout/Panel.tsx'
import { useRoleOptions } from '../roleOptions.ts'
import { fieldTitles, type ApiKeyForm } from './apiKeyForm.ts'

/** The fields of an API key, shared by create and edit. */
export function ApiKeyFields({ form }: { form: UseFormReturn<ApiKeyForm> }) {
  const { control } = form
  return (
    <>
      <Panel title="API key">
        <FieldGrid>
          <TextField control={control} name="name" label={fieldTitles.name} required maxLength={256} />
          <DateTimeField
            control={control}
            name="expireAt"
            label={fieldTitles.expireAt}
            help="Leave empty for never. A time in the past ends the key at once."
          />
        </FieldGrid>
      </Panel>
      <Panel title="Permissions">
        <ChecksField
          control={control}
          name="roleIds"
          label={fieldTitles.roleIds}
          options={useRoleOptions()}
          none="The roles are being read."
        />
      </Panel>
      <Panel title={fieldTitles.access}>
        <AccessRows form={form} />
      </Panel>
    </>
  )
}

/** From where the key may be used. */
function AccessRows({ form: { control, formState } }: { form: UseFormReturn<ApiKeyForm> }) {
  const { fields, append, remove } = useFieldArray({ control, name: 'access' })
  const edited = useWatch({ control, name: 'access' })
  return (
    <RowList
      ids={fields.map(({ id }) => id)}
      itemName="Address"
      addLabel="Add address"
      none="The key cannot be used from anywhere."
      nameOf={(at) => edited[at]?.source ?? ''}
      template="minmax(0, 1fr) minmax(0, 1.4fr)"
      error={formState.errors.access?.message ?? formState.errors.access?.root?.message}
      locked={undefined}
      onAdd={() => append({ source: '', description: '' })}
      onRemove={remove}
      renderRow={(at) => (
        <>
          <TextField
            control={control}
            name={`access.${at}.source`}
            label={`Address or range ${at + 1}`}
            placeholder="10.0.0.0/8"
            mono
          />
          <TextField control={control} name={`access.${at}.description`} label={`Description ${at + 1}`} />
        </>
      )}
    />
  )
}
