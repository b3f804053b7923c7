import { useMutation, useQuery } from '@tanstack/react-query'
import { useState, type ReactNode } from 'react'
import { useWatch, type Control } from 'react-hook-form'
import { q } from '#console/api/queries.ts'
import { sessionQuery } from '#console/api/session.ts'
import { ChecksField } from '#console/ui/form/fields/ChecksField.tsx'
import { SelectField } from '#console/ui/form/fields/SelectField.tsx'
import { TextField } from '#console/ui/form/fields/TextField.tsx'
import { FormDialog } from '#console/ui/form/FormDialog.tsx'
import { useSchemaForm } from '#console/ui/form/useSchemaForm.ts'
import type { Connection } from '#contract/console/connections.ts'
import { roles } from '#contract/cloud/organization/roles.ts'
import { useFrameConnection } from '#console/shell/connection.tsx'
import { exceptionFields, roleField } from './consoleRoles.ts'
import { InvitationResults, ResultButtons } from './InvitationResults.tsx'
import { connectionsOf, emptyInvitation, inviteSchema, placeBlocker, places } from './inviteForm.ts'
import type { InviteForm, InviteTarget } from './inviteForm.ts'
import { sendInvitations, type Outcome } from './sendInvitations.ts'
import * as css from '../records.module.css'

interface InviteDialogProps {
  /** The place on whose page it is opened. */
  here: InviteTarget
  onClose: () => void
}

const gains: Record<InviteTarget, string> = {
  console: 'signs in here, with a role on each connection',
  team: 'shares the records of a deployment and has a personal API key, but no sign-in here',
  organization: 'has roles for services, data pipes and API keys of the cloud',
}

/** Invites a person to the console, a team and an organization: each has people of its own. */
export function InviteDialog({ here, onClose }: InviteDialogProps) {
  const { connection, connections } = useFrameConnection()
  const { data: session } = useQuery(sessionQuery)
  const [start] = useState(() => emptyInvitation(here, connections, connection))
  const { control, handleSubmit } = useSchemaForm(inviteSchema, start)
  const form = useWatch({ control, compute: (all: InviteForm) => all })
  const { places: chosen, email } = form
  const [outcomes, setOutcomes] = useState<readonly Outcome[]>([])
  const send = useMutation({
    mutationFn: (filled: InviteForm) => {
      const sent = new Set(outcomes.flatMap((outcome) => ('error' in outcome ? [] : [outcome.place])))
      const left = places.filter((place) => filled.places.includes(place) && !sent.has(place))
      return sendInvitations(filled, left, connections)
    },
    onSuccess: (now) => setOutcomes((before) => [...before.filter((outcome) => !('error' in outcome)), ...now]),
  })
  const submit = handleSubmit((filled) => send.mutate(filled))
  const placeNames = namesOf(form, connections)
  const isDone = outcomes.length > 0
  return (
    <FormDialog
      title={isDone ? `Invitation of ${email}` : 'Invite a person'}
      action={chosen.length > 1 ? `Create ${chosen.length} invitations` : 'Create invitation'}
      busy={send.isPending}
      result={
        isDone ? (
          <ResultButtons {...{ outcomes, onClose }} busy={send.isPending} onRetry={() => void submit()} />
        ) : undefined
      }
      onSubmit={() => void submit()}
      onClose={onClose}
    >
      {isDone ? (
        <InvitationResults outcomes={outcomes} names={placeNames} />
      ) : (
        <>
          <TextField control={control} name="email" label="E-mail" type="email" required />
          <TextField control={control} name="name" label="Name" required={chosen.includes('console')} />
          <ChecksField
            control={control}
            name="places"
            label="What the person needs"
            options={places.map((place) => ({
              value: place,
              label: placeNames[place],
              detail: gains[place],
              disabled: placeBlocker(place, connections, session?.limited !== true),
            }))}
          />
          {chosen.includes('console') && <ConsolePart control={control} connections={connections} />}
          {chosen.includes('team') && <TeamPart control={control} connections={connections} />}
          {chosen.includes('organization') && <OrganizationPart control={control} connections={connections} />}
        </>
      )}
    </FormDialog>
  )
}

function namesOf(form: InviteForm, connections: readonly Connection[]): Record<InviteTarget, string> {
  const nameOf = (id: string) => connections.find((connection) => connection.id === id)?.name
  return {
    console: 'This console',
    team: `Team of ${nameOf(form.teamConnection) ?? 'an open-source deployment'}`,
    organization: `Organization of ${nameOf(form.organizationConnection) ?? 'a managed deployment'}`,
  }
}

interface PartProps {
  control: Control<InviteForm>
  connections: readonly Connection[]
}

function Part({ title, children }: { title: string; children: ReactNode }) {
  return (
    <fieldset className={css.invitePart}>
      <legend>{title}</legend>
      {children}
    </fieldset>
  )
}

function ConsolePart({ control, connections }: PartProps) {
  const role = useWatch({ control, name: 'role' })
  return (
    <Part title="In this console">
      <SelectField control={control} {...roleField} />
      {exceptionFields(connections, role).map(({ id, field }) => (
        <SelectField key={id} control={control} {...field} />
      ))}
    </Part>
  )
}

/** Members of a team have no roles: all share its records. */
function TeamPart({ control, connections }: PartProps) {
  const known = connectionsOf('team', connections)
  if (known.length < 2) return null
  return (
    <Part title="In the team">
      <SelectField control={control} name="teamConnection" label="Team of" options={optionsOf(known)} />
    </Part>
  )
}

function OrganizationPart({ control, connections }: PartProps) {
  const id = useWatch({ control, name: 'organizationConnection' })
  const known = connectionsOf('organization', connections)
  const { data = [] } = useQuery({ ...q(id, roles.list, {}), enabled: id !== '' })
  return (
    <Part title="In the organization">
      {known.length > 1 && (
        <SelectField
          control={control}
          name="organizationConnection"
          label="Organization of"
          options={optionsOf(known)}
        />
      )}
      <ChecksField
        control={control}
        name="assignedRoleIds"
        label="Roles"
        options={data.map((role) => ({ value: role.id, label: role.name, detail: `${role.type} role` }))}
        help="Without a role, the person becomes a member with the role Member."
      />
    </Part>
  )
}

const optionsOf = (known: readonly Connection[]) => known.map(({ id, name }) => ({ value: id, label: name }))
