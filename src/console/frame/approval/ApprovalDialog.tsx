import { useInfiniteQuery } from '@tanstack/react-query'
import { useWatch } from 'react-hook-form'
import { z } from 'zod'
import { changeRequestsQuery } from '#console/api/gateway/changeRequests.ts'
import { Text } from '#console/ui/base/Text.tsx'
import { SelectField } from '#console/ui/form/fields/SelectField.tsx'
import { TextField } from '#console/ui/form/fields/TextField.tsx'
import { FormDialog } from '#console/ui/form/FormDialog.tsx'
import { useSchemaForm } from '#console/ui/form/useSchemaForm.ts'
import { expiryHours } from '#contract/console/changeRequestPaths.ts'
import { useFrameConnection } from '#console/shell/connection.tsx'
import { ConnectionLine } from '#console/shell/stage/StageChip.tsx'
import type { ApprovalQuestion } from './approvalQuestion.ts'

const hours = [1, 4, 24, 72, 168] as const
const maxReason = 700
const maxTitle = 120

const schema = z.object({
  /** The ID of an open change request; empty for a new one. */
  addTo: z.string(),
  title: z.string().trim().max(maxTitle),
  reason: z.string().trim().max(maxReason),
  expiry: z.string(),
})

/** The purpose of a change, before it is sent for approval. It can join an open request of the same person. */
export function ApprovalDialog({ question }: { question: ApprovalQuestion }) {
  const { connectionId, answer } = question
  const { connections } = useFrameConnection()
  const connection = connections.find(({ id }) => id === connectionId)
  const { control, handleSubmit } = useSchemaForm(schema, {
    addTo: '',
    title: '',
    reason: '',
    expiry: String(expiryHours.default),
  })
  const addTo = useWatch({ control, name: 'addTo' })
  const { data } = useInfiniteQuery(changeRequestsQuery({ who: 'mine', state: 'waiting', connectionId }))
  const mine = (data?.pages.flatMap(({ items }) => items) ?? []).filter(({ origin }) => origin === 'writes')
  const send = handleSubmit(({ title, reason, expiry }) =>
    answer(addTo === '' ? { ...(title !== '' && { title }), reason, hours: Number(expiry) } : { addTo }),
  )
  return (
    <FormDialog
      title="Send for approval"
      action="Send for approval"
      onSubmit={() => void send()}
      onClose={() => answer(null)}
    >
      {connection && <ConnectionLine connection={connection} />}
      <Text color="textSecondary">
        Changes of this connection need approval by a second person. Nothing is changed before that.
      </Text>
      {mine.length > 0 && (
        <SelectField
          control={control}
          name="addTo"
          label="Change request"
          options={[
            { value: '', label: 'A new one' },
            ...mine.map(({ id, number, title }) => ({ value: id, label: `Add to ${number}: ${title}` })),
          ]}
        />
      )}
      {addTo === '' && (
        <>
          <TextField
            control={control}
            name="title"
            label="Title"
            help="Optional. By default, the title describes the change."
            maxLength={maxTitle}
          />
          <TextField control={control} name="reason" label="Reason" lines={3} maxLength={maxReason} />
          <SelectField
            control={control}
            name="expiry"
            label="Expires"
            options={hours.map((count) => ({ value: String(count), label: `in ${formatHours(count)}` }))}
          />
        </>
      )}
    </FormDialog>
  )
}

function formatHours(count: number): string {
  if (count < 48) return count === 1 ? '1 hour' : `${count} hours`
  return `${count / 24} days`
}
