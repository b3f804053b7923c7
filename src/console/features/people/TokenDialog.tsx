import { useMutation } from '@tanstack/react-query'
import { useWatch } from 'react-hook-form'
import { z } from 'zod'
import { formatError } from '#console/api/errors.ts'
import { createToken } from '#console/api/gateway/people.ts'
import { Button } from '#console/ui/base/Button.tsx'
import { Text } from '#console/ui/base/Text.tsx'
import { PickSeveralField } from '#console/ui/form/fields/PickSeveralField.tsx'
import { SelectField } from '#console/ui/form/fields/SelectField.tsx'
import { TextField } from '#console/ui/form/fields/TextField.tsx'
import { FormDialog } from '#console/ui/form/FormDialog.tsx'
import { SubmitError } from '#console/ui/form/SubmitError.tsx'
import { useSchemaForm } from '#console/ui/form/useSchemaForm.ts'
import type { Connection } from '#contract/console/connections.ts'
import { tokenInput, type TokenUse } from '#contract/console/people.ts'
import { roleOptions } from '#console/records/invite/consoleRoles.ts'
import { NewSecret } from './NewSecret.tsx'
import { formatScope } from './tokenScope.ts'

const tokenRoles = roleOptions.flatMap(({ value, label }) => (value === 'none' ? [] : [{ value, label }]))
const scopes = [
  { value: 'all', label: 'All that I see' },
  { value: 'chosen', label: 'Only chosen ones' },
] as const
const periods = [7, 31, 90, 366].map((days) => ({ value: String(days), label: `${days} days` }))

const uses = [
  { value: 'agents', label: 'Agents only' },
  { value: 'console', label: 'Agents, scripts and the command line' },
] as const

const schema = tokenInput
  .pick({ name: true, role: true })
  .extend({
    validFor: z.enum(['agents', 'console']),
    scope: z.enum(['all', 'chosen']),
    chosen: z.array(z.string()),
    days: z.string(),
  })
  .refine(({ scope, chosen }) => scope === 'all' || chosen.length > 0, {
    path: ['chosen'],
    message: 'Choose at least one connection.',
  })

interface TokenDialogProps {
  connections: readonly Connection[]
  /** Where the token is valid unless another choice is made. */
  validFor: TokenUse
  onClose: () => void
}

/** Creates a personal token, and shows its secret once. */
export function TokenDialog({ connections, validFor, onClose }: TokenDialogProps) {
  const { control, handleSubmit } = useSchemaForm(schema, {
    name: '',
    role: 'viewer',
    scope: 'all',
    chosen: [],
    days: '31',
    validFor,
  })
  const { scope, days } = useWatch({ control })
  const create = useMutation({ mutationFn: createToken })
  const { data } = create
  const submit = handleSubmit(({ name, role, chosen, validFor, ...form }) =>
    create.mutate({
      name,
      role,
      validFor,
      connections: form.scope === 'all' ? null : chosen,
      days: Number(form.days),
    }),
  )
  return (
    <FormDialog
      title={data ? `Token ${data.name}` : 'Create token'}
      action="Create token"
      busy={create.isPending}
      result={data && <Button onClick={onClose}>Done</Button>}
      onSubmit={() => void submit()}
      onClose={onClose}
    >
      {create.error && <SubmitError error={formatError(create.error)} />}
      {data ? (
        <>
          <NewSecret text={data.secret} copy="Copy token">
            This token is shown only now. Store it where only the script that needs it can read it.
          </NewSecret>
          <Text color="textSecondary">
            At most {data.role} on {formatScope(data.connections, connections)}
            {data.connections === null && ' connections that you see'}, for {days} days
            {data.validFor === 'agents' && ', for agents only'}.
          </Text>
        </>
      ) : (
        <>
          <TextField control={control} name="name" label="Name" required />
          <SelectField control={control} name="role" label="Highest role" options={tokenRoles} />
          <SelectField control={control} name="validFor" label="Valid for" options={uses} />
          <SelectField control={control} name="scope" label="Connections" options={scopes} />
          {scope === 'chosen' && (
            <PickSeveralField
              control={control}
              name="chosen"
              label="Chosen connections"
              options={connections.map(({ id, name }) => ({ value: id, label: name }))}
            />
          )}
          <SelectField control={control} name="days" label="Expires after" options={periods} />
        </>
      )}
    </FormDialog>
  )
}
