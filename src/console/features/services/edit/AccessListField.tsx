import { useFieldArray, useWatch, type UseFormReturn } from 'react-hook-form'
import { TextInput } from '#console/ui/base/TextInput.tsx'
import { RowList } from '#console/ui/form/RowList.tsx'
import { TextField } from '#console/ui/form/fields/TextField.tsx'
import { Notice } from '#console/ui/Notice.tsx'
import type { AccessEntry } from '../model/accessList.ts'
import { accessWarnings } from '../model/accessWarnings.ts'
import type { ServiceForm } from './serviceForm.ts'
import * as css from '../services.module.css'

interface AccessListFieldProps {
  form: UseFormReturn<ServiceForm>
  /** The list that the form started from. */
  base: readonly AccessEntry[]
  /** The user's IP address. */
  ownAddress: string
  onOwnAddress: (address: string) => void
  locked: string | undefined
}

/** The editable IP access list. */
export function AccessListField({ form, base, ownAddress, onOwnAddress, locked }: AccessListFieldProps) {
  const { control } = form
  const { fields, append, remove } = useFieldArray({ control, name: 'access' })
  const edited = useWatch({ control, name: 'access' })
  const warnings = accessWarnings(base, edited, ownAddress.trim())
  const error = form.formState.errors.access?.message ?? form.formState.errors.access?.root?.message
  return (
    <div className={css.accessListField}>
      <RowList
        ids={fields.map(({ id }) => id)}
        itemName="Access entry"
        addLabel="Add entry"
        none="No IP address can access the service."
        nameOf={(at) => edited[at]?.source ?? ''}
        template="minmax(0, 1fr) minmax(0, 1.4fr)"
        error={error}
        locked={locked}
        onAdd={() => append({ source: '', description: '' })}
        onRemove={remove}
        renderRow={(at) => (
          <>
            <TextField
              control={control}
              name={`access.${at}.source`}
              label={`Source ${at + 1}`}
              placeholder="10.0.0.0/8"
              mono
              disabled={locked}
            />
            <TextField
              control={control}
              name={`access.${at}.description`}
              label={`Description ${at + 1}`}
              disabled={locked}
            />
          </>
        )}
      />
      {warnings.map((warning) => (
        <Notice key={warning} tone="warning" role="alert">
          {warning}
        </Notice>
      ))}
      <div className={css.ownAddress}>
        <TextInput
          label="Your IP address"
          value={ownAddress}
          onChange={onOwnAddress}
          help="As the deployment sees it. Saved in this browser to warn you before you lock yourself out."
          autoComplete="off"
          spellCheck={false}
        />
      </div>
    </div>
  )
}
