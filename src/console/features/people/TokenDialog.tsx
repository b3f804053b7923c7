import DialogActions from '@mui/material/DialogActions'
import DialogContent from '@mui/material/DialogContent'
import DialogTitle from '@mui/material/DialogTitle'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { formatError } from '#console/api/errors.ts'
import { createToken } from '#console/api/gateway/people.ts'
import { Button } from '#console/ui/base/Button.tsx'
import { TextInput } from '#console/ui/base/TextInput.tsx'
import { SubmitError } from '#console/ui/form/SubmitError.tsx'
import { Dialog } from '#console/ui/mui/Dialog.tsx'
import { SelectInput } from '#console/ui/SelectInput.tsx'
import type { Connection } from '#contract/connections.ts'
import type { TokenInput } from '#contract/people.ts'
import { roleOptions } from './roleLabels.ts'
import { SecretOnce } from './SecretOnce.tsx'

type TokenRole = TokenInput['role']

const tokenRoles = roleOptions.flatMap(({ value, label }) => (value === 'none' ? [] : [{ value, label }]))
const periods = [7, 31, 90, 366].map((days) => ({ value: String(days), label: `${days} days` }))

/** Creates a personal token, and shows its secret once. */
export function TokenDialog({ connections, onClose }: { connections: readonly Connection[]; onClose: () => void }) {
  const [name, setName] = useState('')
  const [role, setRole] = useState<TokenRole>('viewer')
  const [connectionId, setConnectionId] = useState('')
  const [days, setDays] = useState('31')
  const create = useMutation({ mutationFn: createToken })
  const { data } = create
  const submit = () =>
    create.mutate({ name, role, connections: connectionId === '' ? null : [connectionId], days: Number(days) })
  return (
    <Dialog open onClose={onClose} fullWidth maxWidth="sm" aria-labelledby="token-title">
      <form
        onSubmit={(event) => {
          event.preventDefault()
          submit()
        }}
      >
        <DialogTitle id="token-title">{data ? `Token ${data.name}` : 'Create token'}</DialogTitle>
        <DialogContent sx={{ display: 'flex', flexDirection: 'column', gap: 3, '&&': { pt: 2 } }}>
          {create.error && <SubmitError error={formatError(create.error)} />}
          {data ? (
            <SecretOnce text={data.secret} copy="Copy token">
              This token is shown only now. Store it where only the script that needs it can read it.
            </SecretOnce>
          ) : (
            <>
              <TextInput label="Name" value={name} onChange={setName} required autoComplete="off" />
              <SelectInput label="Highest role" value={role} options={tokenRoles} onChange={setRole} />
              <SelectInput
                label="Connections"
                value={connectionId}
                options={[
                  { value: '', label: 'All that I see' },
                  ...connections.map(({ id, name: title }) => ({ value: id, label: title })),
                ]}
                onChange={setConnectionId}
              />
              <SelectInput label="Expires after" value={days} options={periods} onChange={setDays} />
            </>
          )}
        </DialogContent>
        <DialogActions>
          <Button onClick={onClose}>{data ? 'Done' : 'Cancel'}</Button>
          {!data && (
            <Button type="submit" variant="contained" color="primary" loading={create.isPending}>
              Create token
            </Button>
          )}
        </DialogActions>
      </form>
    </Dialog>
  )
}
