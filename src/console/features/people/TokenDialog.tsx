import Autocomplete from '@mui/material/Autocomplete'
import MuiTextField from '@mui/material/TextField'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { formatError } from '#console/api/errors.ts'
import { createToken } from '#console/api/gateway/people.ts'
import { Button } from '#console/ui/base/Button.tsx'
import { Text } from '#console/ui/base/Text.tsx'
import { TextInput } from '#console/ui/base/TextInput.tsx'
import { SubmitError } from '#console/ui/form/SubmitError.tsx'
import { FormDialog } from '#console/ui/form/FormDialog.tsx'
import { SelectInput } from '#console/ui/SelectInput.tsx'
import type { Connection } from '#contract/connections.ts'
import type { TokenInput } from '#contract/people.ts'
import { roleOptions } from './roleLabels.ts'
import { SecretOnce } from './SecretOnce.tsx'
import { formatScope } from './tokenScope.ts'

type TokenRole = TokenInput['role']

const tokenRoles = roleOptions.flatMap(({ value, label }) => (value === 'none' ? [] : [{ value, label }]))
const scopes = [
  { value: 'all', label: 'All that I see' },
  { value: 'chosen', label: 'Only chosen ones' },
] as const
const periods = [7, 31, 90, 366].map((days) => ({ value: String(days), label: `${days} days` }))

/** Creates a personal token, and shows its secret once. */
export function TokenDialog({ connections, onClose }: { connections: readonly Connection[]; onClose: () => void }) {
  const [name, setName] = useState('')
  const [role, setRole] = useState<TokenRole>('viewer')
  const [scope, setScope] = useState<(typeof scopes)[number]['value']>('all')
  const [chosen, setChosen] = useState<readonly Connection[]>([])
  const [missing, setMissing] = useState(false)
  const [days, setDays] = useState('31')
  const create = useMutation({ mutationFn: createToken })
  const { data } = create
  const isIncomplete = scope === 'chosen' && chosen.length === 0
  const submit = () => {
    setMissing(isIncomplete)
    if (isIncomplete) return
    const ids = scope === 'all' ? null : chosen.map(({ id }) => id)
    create.mutate({ name, role, connections: ids, days: Number(days) })
  }
  return (
    <FormDialog
      title={data ? `Token ${data.name}` : 'Create token'}
      action="Create token"
      busy={create.isPending}
      result={data && <Button onClick={onClose}>Done</Button>}
      onSubmit={submit}
      onClose={onClose}
    >
      {create.error && <SubmitError error={formatError(create.error)} />}
      {data ? (
        <>
          <SecretOnce text={data.secret} copy="Copy token">
            This token is shown only now. Store it where only the script that needs it can read it.
          </SecretOnce>
          <Text color="textSecondary">
            At most {data.role} on {formatScope(data.connections, connections)}
            {data.connections === null && ' connections that you see'}, for {days} days.
          </Text>
        </>
      ) : (
        <>
          <TextInput label="Name" value={name} onChange={setName} required autoComplete="off" />
          <SelectInput label="Highest role" value={role} options={tokenRoles} onChange={setRole} />
          <SelectInput label="Connections" value={scope} options={scopes} onChange={setScope} />
          {scope === 'chosen' && (
            <Autocomplete
              multiple
              disableCloseOnSelect
              options={connections}
              value={[...chosen]}
              onChange={(_, next) => setChosen(next)}
              getOptionKey={({ id }) => id}
              getOptionLabel={(one) => one.name}
              isOptionEqualToValue={(option, value) => option.id === value.id}
              renderInput={(input) => (
                <MuiTextField
                  {...input}
                  label="Chosen connections"
                  error={missing && isIncomplete}
                  helperText={missing && isIncomplete ? 'Choose at least one connection.' : undefined}
                />
              )}
            />
          )}
          <SelectInput label="Expires after" value={days} options={periods} onChange={setDays} />
        </>
      )}
    </FormDialog>
  )
}
