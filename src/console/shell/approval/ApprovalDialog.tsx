import TextField from '@mui/material/TextField'
import { useInfiniteQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { changeRequestsQuery } from '#console/api/gateway/changeRequests.ts'
import { Text } from '#console/ui/base/Text.tsx'
import { FormDialog } from '#console/ui/form/FormDialog.tsx'
import { SelectInput } from '#console/ui/SelectInput.tsx'
import { expiryHours } from '#contract/changeRequestPaths.ts'
import { useFrameConnection } from '../connection.tsx'
import { ConnectionLine } from '../stage/StageChip.tsx'
import type { ApprovalQuestion } from './approvalQuestion.ts'

const hours = [1, 4, 24, 72, 168] as const

const maxReason = 700
const maxTitle = 120

/** What a change is for, before it is sent for approval. It can join an open request of the same person. */
export function ApprovalDialog({ question }: { question: ApprovalQuestion }) {
  const { connectionId, answer } = question
  const { connections } = useFrameConnection()
  const connection = connections.find(({ id }) => id === connectionId)
  const [title, setTitle] = useState('')
  const [reason, setReason] = useState('')
  const [expiry, setExpiry] = useState(String(expiryHours.default))
  const [addTo, setAddTo] = useState('')
  const { data } = useInfiniteQuery(changeRequestsQuery({ who: 'mine', state: 'waiting', connectionId }))
  const mine = (data?.pages.flatMap(({ items }) => items) ?? []).filter(({ origin }) => origin === 'writes')
  const send = () => {
    if (addTo !== '') return answer({ addTo })
    return answer({
      ...(title.trim() !== '' && { title: title.trim() }),
      reason: reason.trim(),
      hours: Number(expiry),
    })
  }
  return (
    <FormDialog title="Send for approval" action="Send for approval" onSubmit={send} onClose={() => answer(null)}>
      {connection && <ConnectionLine connection={connection} />}
      <Text color="textSecondary">
        Changes of this connection need approval by a second person. Nothing is changed before that.
      </Text>
      {mine.length > 0 && (
        <SelectInput
          label="Change request"
          value={addTo}
          options={[
            { value: '', label: 'A new one' },
            ...mine.map(({ id, number, title: name }) => ({ value: id, label: `Add to ${number}: ${name}` })),
          ]}
          onChange={setAddTo}
        />
      )}
      {addTo === '' && (
        <>
          <TextField
            label="Title"
            value={title}
            onChange={(event) => setTitle(event.target.value)}
            helperText="Optional. By default, the title describes the change."
            slotProps={{ htmlInput: { maxLength: maxTitle } }}
          />
          <TextField
            label="Reason"
            value={reason}
            onChange={(event) => setReason(event.target.value)}
            multiline
            minRows={3}
            slotProps={{ htmlInput: { maxLength: maxReason } }}
          />
          <SelectInput
            label="Expires"
            value={expiry}
            options={hours.map((count) => ({ value: String(count), label: `in ${formatHours(count)}` }))}
            onChange={setExpiry}
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
