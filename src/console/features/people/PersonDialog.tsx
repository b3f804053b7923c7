import { useMutation } from '@tanstack/react-query'
import { useWatch } from 'react-hook-form'
import type { z } from 'zod'
import { formatError } from '#console/api/errors.ts'
import { updatePerson } from '#console/api/gateway/people.ts'
import { chosenExceptions, exceptionFields, roleField, roleShape } from '#console/records/invite/consoleRoles.ts'
import { Text } from '#console/ui/base/Text.tsx'
import { SelectField } from '#console/ui/form/fields/SelectField.tsx'
import { TextField } from '#console/ui/form/fields/TextField.tsx'
import { FormDialog } from '#console/ui/form/FormDialog.tsx'
import { SubmitError } from '#console/ui/form/SubmitError.tsx'
import { useSchemaForm } from '#console/ui/form/useSchemaForm.ts'
import type { Connection } from '#contract/console/connections.ts'
import type { Role } from '#contract/console/consoleRoles.ts'
import { personInput, type ListedPerson } from '#contract/console/people.ts'
import { groupRoleText } from './roleLabels.ts'

interface PersonDialogProps {
  person: ListedPerson
  connections: readonly Connection[]
  onClose: () => void
}

const schema = personInput.omit({ roles: true }).extend(roleShape)

/** Edits name and roles of a person. */
export function PersonDialog({ person, connections, onClose }: PersonDialogProps) {
  const { role, roles: own } = person.byHand
  const { control, handleSubmit } = useSchemaForm(schema, {
    name: person.name,
    email: person.email,
    role,
    exceptions: connections.map(({ id }) => own[id] ?? ''),
  })
  const chosenRole = useWatch({ control, name: 'role' })
  const save = useMutation({
    mutationFn: async ({ exceptions, ...form }: z.infer<typeof schema>) => {
      const input = { ...form, roles: rolesOf(own, connections, exceptions) }
      await updatePerson(person.id, input)
    },
    onSuccess: onClose,
  })
  const names = new Map(connections.map((connection) => [connection.id, connection.name]))
  return (
    <FormDialog
      title={`Edit ${person.name}`}
      action="Save"
      busy={save.isPending}
      onSubmit={() => void handleSubmit((form) => save.mutate(form))()}
      onClose={onClose}
    >
      {save.error && <SubmitError error={formatError(save.error)} />}
      <TextField control={control} name="name" label="Name" required />
      <TextField control={control} name="email" label="E-mail" type="email" required />
      {person.fromGroups && (
        <Text color="textSecondary">
          Has from groups: {person.fromGroups.map((group) => groupRoleText(group, names)).join(', ')}. On each
          connection, the higher role counts: roles by hand cannot take these away.
        </Text>
      )}
      <SelectField control={control} {...roleField} />
      {exceptionFields(connections, chosenRole).map(({ id, field }) => (
        <SelectField key={id} control={control} {...field} />
      ))}
    </FormDialog>
  )
}

/** The roles of single connections, with those on connections that the editor does not see. */
function rolesOf(
  before: Readonly<Record<string, Role>>,
  connections: readonly Connection[],
  exceptions: readonly (Role | '')[],
): Record<string, Role> {
  const seen = new Set(connections.map(({ id }) => id))
  const unseen = Object.fromEntries(Object.entries(before).filter(([id]) => !seen.has(id)))
  return { ...unseen, ...chosenExceptions(connections, exceptions) }
}
