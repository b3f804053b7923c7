import { useState } from 'react'
import { useConnection } from '#console/shell/connection.tsx'
import { lockReason } from '#console/shell/lockReason.ts'
import { Button } from '#console/ui/base/Button.tsx'
import { TextInput } from '#console/ui/base/TextInput.tsx'
import { DisabledReason } from '#console/ui/hint/DisabledReason.tsx'
import { organizationUpdate, type Organization } from '#contract/organizations.ts'
import { useOrganizationUpdate } from './useOrganizationUpdate.ts'
import css from './settings.module.css'

/** The name of the organization. */
export function NameForm({ organization }: { organization: Organization }) {
  const locked = lockReason(useConnection())
  const stored = organization.name ?? ''
  const [name, setName] = useState(stored)
  const save = useOrganizationUpdate(organization, () => 'The organization is renamed.')
  const isValid = organizationUpdate.safeParse({ name }).success
  const error = isValid ? undefined : 'Enter a name of at most 256 characters.'
  const reason = locked ?? error ?? (name.trim() === stored ? 'The name is unchanged.' : undefined)
  return (
    <form
      className={css.nameForm}
      onSubmit={(event) => {
        event.preventDefault()
        if (reason === undefined) save.mutate({ name: name.trim() })
      }}
    >
      <TextInput
        label="Name"
        value={name}
        onChange={setName}
        error={name === stored ? undefined : error}
        disabled={locked !== undefined}
        autoComplete="off"
        className={css.name}
      />
      <DisabledReason reason={reason}>
        <Button type="submit" disabled={reason !== undefined} loading={save.isPending}>
          Rename
        </Button>
      </DisabledReason>
    </form>
  )
}
