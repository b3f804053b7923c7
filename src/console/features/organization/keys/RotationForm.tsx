import { useMutation, useQuery } from '@tanstack/react-query'
import { KeyRound, RefreshCw } from 'lucide-react'
import { useState } from 'react'
import { useWatch } from 'react-hook-form'
import { z } from 'zod'
import { connectionsQuery } from '#console/api/connections.ts'
import { formatError } from '#console/api/errors.ts'
import { startRotation } from '#console/api/gateway/apiKeys.ts'
import { paths } from '#console/paths/paths.ts'
import { useConnection } from '#console/shell/connection.tsx'
import { LinkButton } from '#console/shell/LinkButton.tsx'
import { lockReason } from '#console/shell/lockReason.ts'
import { Button } from '#console/ui/base/Button.tsx'
import { DescriptionList } from '#console/ui/DescriptionList.tsx'
import { EmptyState } from '#console/ui/EmptyState.tsx'
import { CheckboxField } from '#console/ui/form/fields/CheckboxField.tsx'
import { SelectField } from '#console/ui/form/fields/SelectField.tsx'
import { TextField } from '#console/ui/form/fields/TextField.tsx'
import { SubmitError } from '#console/ui/form/SubmitError.tsx'
import { useSchemaForm } from '#console/ui/form/useSchemaForm.ts'
import { DisabledReason } from '#console/ui/hint/DisabledReason.tsx'
import { Panel } from '#console/ui/layout/Panel.tsx'
import { Notice } from '#console/ui/Notice.tsx'
import type { ApiKey } from '#contract/cloud/organization/apiKeys.ts'
import type { Connection } from '#contract/console/connections.ts'
import { isSameUuid } from '#contract/console/deployments.ts'
import { mayBeKeyOf } from '#domain/apiKeys/keyExpiry.ts'
import { formatIsoDay } from '#console/ui/time/formatTime.ts'
import { roleNames } from '../roleOptions.ts'
import { accessText } from './keyStatus.ts'
import * as css from '../organization.module.css'

interface RotationFormProps {
  apiKeyId: string
  keys: readonly ApiKey[]
  /** After a rotation that was undone. */
  again: boolean
}

/** The plan and the options of a rotation. */
export function RotationForm({ apiKeyId, keys, again }: RotationFormProps) {
  const connection = useConnection()
  const key = keys.find(({ id }) => id === apiKeyId)
  if (key && mayBeKeyOf(key, connection.keyId)) return <Choices apiKey={key} keys={keys} again={again} />
  const list = <LinkButton to={paths.apiKeys(connection.id)}>All API keys</LinkButton>
  if (!key) return <EmptyState icon={KeyRound} title="This API key does not exist" action={list} />
  return (
    <EmptyState
      icon={KeyRound}
      title={`${connection.name} does not use this key`}
      action={<LinkButton to={paths.newApiKey(connection.id)}>New API key</LinkButton>}
    >
      The console can only rotate the key of the connection. For a key of another program: create a new one with the
      same roles, give it to the program, see under “Last used” that it is used, and then disable {key.name}.
    </EmptyState>
  )
}

const day = 24 * 60 * 60 * 1000

/** For how many days a new key can be used. */
const expiryChoice = z.enum(['30', '90', '180', '365', 'never'])
type ExpiryChoice = z.infer<typeof expiryChoice>

const expiryChoices: readonly { value: ExpiryChoice; label: string }[] = [
  { value: '30', label: 'In 30 days' },
  { value: '90', label: 'In 90 days' },
  { value: '180', label: 'In 180 days' },
  { value: '365', label: 'In a year' },
  { value: 'never', label: 'Never' },
]

const schema = z.object({
  name: z.string().trim().min(1).max(256),
  expiry: expiryChoice,
  confirmsAlike: z.boolean(),
})

function Choices({ apiKey, keys, again }: { apiKey: ApiKey; keys: readonly ApiKey[]; again: boolean }) {
  const connection = useConnection()
  const { data: connections = [] } = useQuery(connectionsQuery)
  const [name] = useState(() => rotatedName(apiKey.name, new Date()))
  const { control, handleSubmit } = useSchemaForm(schema, {
    name,
    expiry: apiKey.expireAt ? '90' : 'never',
    confirmsAlike: false,
  })
  const confirmsAlike = useWatch({ control, name: 'confirmsAlike' })
  const start = useMutation({
    mutationFn: ({ expiry, ...form }: z.infer<typeof schema>) =>
      startRotation(connection.id, { apiKeyId: apiKey.id, ...form, expireAt: expiryOf(expiry, Date.now()) }),
  })
  const submit = handleSubmit((form) => start.mutate(form))
  const alike = keys.filter((key) => key.id !== apiKey.id && mayBeKeyOf(key, connection.keyId))
  const users = connections.filter((other) => usesSameKey(other, connection)).map(({ name }) => name)
  const reason =
    lockReason(connection) ??
    (alike.length > 0 && !confirmsAlike ? 'Confirm which key the connection uses.' : undefined)
  return (
    <form
      noValidate
      className={css.rotationForm}
      onSubmit={(event) => {
        event.preventDefault()
        if (reason === undefined) void submit()
      }}
    >
      {start.error && <SubmitError error={formatError(start.error)} />}
      <Panel title={again ? 'Rotate it again' : 'New key'}>
        <div className={css.rotationFields}>
          <TextField control={control} name="name" label="Name" required />
          <SelectField control={control} name="expiry" label="Expires" options={expiryChoices} />
        </div>
        <DescriptionList
          rows={[
            ['Roles', roleNames(apiKey.assignedRoles) || 'None'],
            ['Allowed from', accessText(apiKey)],
            ['Given to', users.join(', ') || connection.name],
          ]}
        />
      </Panel>
      {alike.length > 0 && (
        <Notice tone="warning">
          The ID of {alike.map(({ name }) => name).join(', ')} ends like that of {apiKey.name}, in …{apiKey.keySuffix}.
          The API shows no more of it, so the console cannot tell which of them {connection.name} uses. If it is another
          one, the last step notices, and the rotation can be undone.
          <CheckboxField control={control} name="confirmsAlike" label={`${connection.name} uses ${apiKey.name}`} />
        </Notice>
      )}
      <div>
        <DisabledReason reason={reason}>
          <Button
            type="submit"
            variant="contained"
            color="primary"
            disabled={reason !== undefined}
            loading={start.isPending}
            startIcon={<RefreshCw size={14} aria-hidden />}
          >
            Rotate
          </Button>
        </DisabledReason>
      </div>
    </form>
  )
}

/** The name of the new key: with the date, in place of that of an earlier rotation. */
function rotatedName(name: string, now: Date): string {
  return `${name.replace(/ \d{4}-\d{2}-\d{2}$/, '').slice(0, 240)} ${formatIsoDay(now.getTime(), 'utc')}`
}

function usesSameKey(connection: Connection, { baseUrl, organizationId, keyId }: Connection): boolean {
  return (
    connection.baseUrl === baseUrl &&
    isSameUuid(connection.organizationId, organizationId) &&
    connection.keyId === keyId
  )
}

/** @param now epoch milliseconds. @returns ISO 8601; null for never */
function expiryOf(choice: ExpiryChoice, now: number): string | null {
  return choice === 'never' ? null : new Date(now + Number(choice) * day).toISOString()
}
