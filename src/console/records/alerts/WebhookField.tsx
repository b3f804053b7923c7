import { useQuery } from '@tanstack/react-query'
import type { Control, FieldPath, FieldValues } from 'react-hook-form'
import { useOffer } from '#console/api/offers/offers.ts'
import { q } from '#console/api/queries.ts'
import { SelectField } from '#console/ui/form/fields/SelectField.tsx'
import { TextField } from '#console/ui/form/fields/TextField.tsx'
import { webhooks } from '#contract/stack/webhooks.ts'
import { useConnection } from '#console/shell/connection.tsx'

interface WebhookFieldProps<Values extends FieldValues> {
  control: Control<Values>
  name: FieldPath<Values>
  label: string
  /** IDs of the webhooks to offer. Default: all. */
  only?: readonly string[] | undefined
  /** ID of a webhook to leave out. */
  except?: string
}

/** Chooses a webhook by name; where the deployment does not list webhooks, its ID is typed. */
export function WebhookField<Values extends FieldValues>(props: WebhookFieldProps<Values>) {
  const { control, name, label, only, except } = props
  const connection = useConnection()
  const { offered } = useOffer(connection, 'webhooks', webhooks.list.variants)
  const { data, isError } = useQuery({ ...q(connection.id, webhooks.list, {}), enabled: offered })
  if (!offered || isError) {
    return (
      <TextField
        control={control}
        name={name}
        label={`${label} (ID)`}
        help="This deployment does not list webhooks, so enter the webhook’s ID."
      />
    )
  }
  const known = new Map((data ?? []).map((webhook) => [webhook.id, webhook.name]))
  const ids = (only ?? [...known.keys()]).filter((id) => id !== except)
  return (
    <SelectField
      control={control}
      name={name}
      label={label}
      options={ids.map((id) => ({ value: id, label: known.get(id) ?? id }))}
    />
  )
}
