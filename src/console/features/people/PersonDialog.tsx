import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { formatError } from '#console/api/errors.ts'
import { addPerson, updatePerson } from '#console/api/gateway/people.ts'
import { Text } from '#console/ui/base/Text.tsx'
import { TextInput } from '#console/ui/base/TextInput.tsx'
import { SubmitError } from '#console/ui/form/SubmitError.tsx'
import { FormDialog } from '#console/ui/form/FormDialog.tsx'
import { SelectInput } from '#console/ui/SelectInput.tsx'
import type { Connection } from '#contract/connections.ts'
import type { Invited, ListedPerson } from '#contract/people.ts'
import type { Role } from '#contract/consoleRoles.ts'
import { groupRoleText, roleOptions } from './roleLabels.ts'

interface PersonDialogProps {
  /** Null to add somebody. */
  person: ListedPerson | null
  connections: readonly Connection[]
  /** Called with the link of somebody who was added. */
  onInvited: (invited: Invited) => void
  onClose: () => void
}

/** Adds a person, or edits name and roles. */
export function PersonDialog({ person, connections, onInvited, onClose }: PersonDialogProps) {
  const [name, setName] = useState(person?.name ?? '')
  const [email, setEmail] = useState(person?.email ?? '')
  const [role, setRole] = useState<Role>(person?.byHand.role ?? 'viewer')
  const [roles, setRoles] = useState<Record<string, Role>>(person?.byHand.roles ?? {})
  const save = useMutation({
    mutationFn: async () => {
      const input = { name, email, role, roles }
      if (person) await updatePerson(person.id, input)
      else onInvited(await addPerson(input))
    },
    onSuccess: onClose,
  })
  const general = { value: '' as const, label: `Default role: ${role}` }
  const names = new Map(connections.map((one) => [one.id, one.name]))
  const choose = (id: string, chosen: Role | '') => {
    const { [id]: _, ...others } = roles
    setRoles(chosen === '' ? others : { ...others, [id]: chosen })
  }
  return (
    <FormDialog
      title={person ? `Edit ${person.name}` : 'Add person'}
      action={person ? 'Save' : 'Add and create link'}
      busy={save.isPending}
      onSubmit={() => save.mutate()}
      onClose={onClose}
    >
      {save.error && <SubmitError error={formatError(save.error)} />}
      <TextInput label="Name" value={name} onChange={setName} required autoComplete="off" />
      <TextInput label="E-mail" type="email" value={email} onChange={setEmail} required autoComplete="off" />
      {person?.fromGroups && (
        <Text color="textSecondary">
          Has from groups: {person.fromGroups.map((one) => groupRoleText(one, names)).join(', ')}. On each connection,
          the higher role counts: roles by hand cannot take these away.
        </Text>
      )}
      <SelectInput
        label="Default role"
        value={role}
        options={roleOptions}
        onChange={setRole}
        help="Applies to all connections for which no other role is chosen below."
      />
      {connections.map(({ id, name: title }) => (
        <SelectInput<Role | ''>
          key={id}
          label={`Role on ${title}`}
          value={roles[id] ?? ''}
          options={[general, ...roleOptions]}
          onChange={(chosen) => choose(id, chosen)}
        />
      ))}
    </FormDialog>
  )
}
