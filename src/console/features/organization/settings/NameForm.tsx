import { z } from 'zod'
import { useConnection } from '#console/shell/connection.tsx'
import { lockReason } from '#console/shell/lockReason.ts'
import { Button } from '#console/ui/base/Button.tsx'
import { TextField } from '#console/ui/form/fields/TextField.tsx'
import { useSchemaForm } from '#console/ui/form/useSchemaForm.ts'
import { DisabledReason } from '#console/ui/hint/DisabledReason.tsx'
import { organizationUpdate, type Organization } from '#contract/organizations.ts'
import { useOrganizationUpdate } from './useOrganizationUpdate.ts'
import css from './settings.module.css'

const schema = z.object({ name: organizationUpdate.shape.name.unwrap() })

/** The name of the organization. */
export function NameForm({ organization }: { organization: Organization }) {
  const locked = lockReason(useConnection())
  const { control, handleSubmit, formState } = useSchemaForm(
    schema,
    { name: organization.name ?? '' },
    { mode: 'onChange' },
  )
  const save = useOrganizationUpdate(organization, () => 'The organization is renamed.')
  const reason = locked ?? (formState.isDirty ? undefined : 'The name is unchanged.')
  const submit = handleSubmit(({ name }) => save.mutate({ name }))
  return (
    <form
      noValidate
      className={css.nameForm}
      onSubmit={(event) => {
        event.preventDefault()
        if (reason === undefined) void submit()
      }}
    >
      <div className={css.name}>
        <TextField control={control} name="name" label="Name" disabled={locked} />
      </div>
      <DisabledReason reason={reason}>
        <Button type="submit" disabled={reason !== undefined} loading={save.isPending}>
          Rename
        </Button>
      </DisabledReason>
    </form>
  )
}
