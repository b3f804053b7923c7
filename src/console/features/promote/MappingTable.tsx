import { useWatch } from 'react-hook-form'
import { z } from 'zod'
import { KindIcon } from '#console/shell/recordKinds.tsx'
import { Button } from '#console/ui/base/Button.tsx'
import * as base from '#console/ui/base/base.module.css'
import { PlainTextField } from '#console/ui/form/fields/PlainTextField.tsx'
import { useSchemaForm } from '#console/ui/form/useSchemaForm.ts'
import { SelectInput } from '#console/ui/SelectInput.tsx'
import type { Connection } from '#contract/console/connections.ts'
import type { MappingEntryView, TargetPlan } from '#contract/console/runs.ts'
import * as css from './promote.module.css'

type Choose = (connectionId: string, key: string, choice: NonNullable<MappingEntryView['choice']>) => void

interface MappingTableProps {
  from: Connection
  targets: readonly { connection: Connection; plan: TargetPlan }[]
  onChoose: Choose
}

/** Which record of each target takes the place of a source or webhook that the chosen records refer to. */
export function MappingTable({ from, targets, onChoose }: MappingTableProps) {
  const keys = [...new Set(targets.flatMap(({ plan }) => plan.mapping.map(keyOf)))]
  return (
    <table className={base.table} aria-label="Mapping">
      <thead>
        <tr>
          <th>On {from.name}</th>
          {targets.map(({ connection }) => (
            <th key={connection.id}>{connection.name}</th>
          ))}
        </tr>
      </thead>
      <tbody>
        {keys.map((key) => {
          const entries = targets.map(({ plan }) => plan.mapping.find((entry) => keyOf(entry) === key))
          const known = entries.find((entry) => entry !== undefined)
          return (
            <tr key={key} className={css.mappingTableRow}>
              <th scope="row">
                <KindIcon kind={known?.kind ?? ''} /> {known?.from}
              </th>
              {targets.map(({ connection }, at) => {
                const entry = entries[at]
                return (
                  <td key={connection.id}>
                    {entry && <MappingCell entry={entry} connection={connection} onChoose={onChoose} />}
                  </td>
                )
              })}
            </tr>
          )
        })}
      </tbody>
    </table>
  )
}

const keyOf = ({ kind, from }: MappingEntryView) => `${kind}/${from}`

const reasons: Record<NonNullable<MappingEntryView['by']>, string> = {
  chosen: 'chosen',
  remembered: 'remembered',
  name: 'by name',
  table: 'by its table',
  only: 'the only one',
}

interface MappingCellProps {
  entry: MappingEntryView
  connection: Connection
  onChoose: Choose
}

function MappingCell({ entry, connection, onChoose }: MappingCellProps) {
  const { kind, from, choice, by, candidates } = entry
  const label = `${from} on ${connection.name}`
  if (kind === 'webhooks' && candidates.length === 0 && !(choice && 'create' in choice)) {
    return <EmailCell entry={entry} connection={connection} onChoose={onChoose} />
  }
  const value = choice === null ? '' : 'to' in choice ? `to:${choice.to}` : 'create'
  const options = [
    ...(choice === null ? [{ value: '', label: 'Choose…' }] : []),
    ...candidates.map((candidate) => ({ value: `to:${candidate}`, label: candidate })),
    ...(kind === 'dataConnections' ? [] : [{ value: 'create', label: 'Create a copy' }]),
  ]
  return (
    <div className={css.mappingTableCell}>
      <SelectInput
        label={label}
        hiddenLabel
        value={value}
        options={options}
        onChange={(chosen) => {
          if (chosen === 'create') onChoose(connection.id, keyOf(entry), { create: true })
          else if (chosen !== '') onChoose(connection.id, keyOf(entry), { to: chosen.slice('to:'.length) })
        }}
      />
      <span className={by === null ? css.mappingTableOpen : css.by}>
        {by === null ? 'left to decide' : reasons[by]}
      </span>
    </div>
  )
}

const addressesOf = (text: string) => text.split(/[\s,;]+/).filter((part) => part !== '')

const emailSchema = z.object({
  addresses: z
    .string()
    .refine(
      (text) => addressesOf(text).every((address) => /^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(address)),
      'must be email addresses, separated by commas',
    ),
})

/** A target without webhooks: its alerts notify by email. */
function EmailCell({ entry, connection, onChoose }: MappingCellProps) {
  const { choice, from } = entry
  const stored = choice && 'emailRecipients' in choice ? choice.emailRecipients.join(', ') : ''
  const { control, formState, handleSubmit } = useSchemaForm(emailSchema, { addresses: stored }, { mode: 'onChange' })
  const emailRecipients = addressesOf(useWatch({ control, name: 'addresses' }))
  const canUse = formState.isValid && emailRecipients.length > 0 && emailRecipients.join(', ') !== stored
  const use = handleSubmit(() => {
    if (canUse) onChoose(connection.id, `webhooks/${from}`, { emailRecipients })
  })
  return (
    <form noValidate className={css.mappingTableCell} onSubmit={(event) => void use(event)}>
      <PlainTextField
        control={control}
        name="addresses"
        label={`Email addresses instead of ${from} on ${connection.name}`}
        hiddenLabel
        placeholder="oncall@example.com"
      />
      <span className={stored === '' ? css.mappingTableOpen : css.by}>
        {stored === '' ? 'has no webhooks: notify by email instead' : 'by email'}
      </span>
      {canUse && (
        <Button size="small" type="submit">
          Use these addresses
        </Button>
      )}
    </form>
  )
}
