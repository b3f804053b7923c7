import { useFieldArray, type UseFormReturn } from 'react-hook-form'
import { PickField } from '#console/ui/form/fields/PickField.tsx'
import { RowList } from '#console/ui/form/RowList.tsx'
import type { ServiceForm } from './serviceForm.ts'

interface PrivateEndpointsFieldProps {
  form: UseFormReturn<ServiceForm>
  /** The IDs that the deployment offers. */
  offered: readonly string[]
  locked: string | undefined
}

/** The IDs of the attached private endpoints. */
export function PrivateEndpointsField({ form, offered, locked }: PrivateEndpointsFieldProps) {
  const { fields, append, remove } = useFieldArray({ control: form.control, name: 'privateEndpoints' })
  return (
    <RowList
      ids={fields.map(({ id }) => id)}
      one="Endpoint"
      addLabel="Attach endpoint"
      none="No private endpoints attached."
      nameOf={() => ''}
      template="minmax(0, 1fr)"
      locked={locked}
      onAdd={() => append({ value: '' })}
      onRemove={remove}
      renderRow={(at) => (
        <PickField
          control={form.control}
          name={`privateEndpoints.${at}.value`}
          label={`Endpoint ID ${at + 1}`}
          options={offered.map((value) => ({ value, label: value, detail: 'available' }))}
          placeholder="vpce-…"
          emptyText="No endpoints available. Enter an ID."
          disabled={locked}
        />
      )}
    />
  )
}
