import TextField from '@mui/material/TextField'
import { useQuery } from '@tanstack/react-query'
import { useOffer } from '#console/api/offers.ts'
import { q } from '#console/api/queries.ts'
import { SelectInput } from '#console/ui/SelectInput.tsx'
import { webhooks } from '#contract/webhooks.ts'
import { useConnection } from '../connection.tsx'

interface WebhookInputProps {
  label: string
  value: string
  onChange: (webhookId: string) => void
  /** Only these; default: all. */
  only?: readonly string[] | undefined
  /** Not this one. */
  except?: string
}

/** Chooses a webhook by name; where the deployment does not list webhooks, its ID is typed. */
export function WebhookInput({ label, value, onChange, only, except }: WebhookInputProps) {
  const connection = useConnection()
  const { offered } = useOffer(connection, 'webhooks', webhooks.list.variants)
  const { data, isError } = useQuery({ ...q(connection.id, webhooks.list, {}), enabled: offered })
  if (!offered || isError) {
    return (
      <TextField
        label={`${label} (ID)`}
        value={value}
        onChange={(event) => onChange(event.target.value.trim())}
        helperText="This deployment does not list webhooks, so enter the webhook’s ID."
      />
    )
  }
  const known = new Map((data ?? []).map(({ id, name }) => [id, name]))
  const ids = (only ?? [...known.keys()]).filter((id) => id !== except)
  return (
    <SelectInput
      label={label}
      value={value}
      options={ids.map((id) => ({ value: id, label: known.get(id) ?? id }))}
      onChange={onChange}
    />
  )
}
