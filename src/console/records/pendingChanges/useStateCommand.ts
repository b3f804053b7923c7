/** Commands that change the state of a resource, such as Start and Stop: confirmed, sent and logged. */
import type { QueryKey } from '@tanstack/react-query'
import { useCallback, useState } from 'react'
import { invalidate } from '#console/api/queries.ts'
import { queryClient } from '#console/api/queryClient.ts'
import type { ResourceName } from '#contract/index.ts'
import { useConnection } from '#console/shell/connection.tsx'
import { confirm } from '#console/shell/messages/confirm.ts'
import { toastFailure } from '#console/shell/messages/toastFailure.ts'
import { toast } from '#console/shell/messages/toasts.tsx'
import { logChange } from './changeLog.ts'

interface StateCommand {
  /** The resource, as its queries name it. */
  resource: ResourceName
  /** The key of the record in the change log. */
  logKey: string
  /** The query that holds the record. */
  queryKey: QueryKey
  /** The name of the record. */
  name: string
  /** "pipe" */
  noun: string
  /** "Stop" */
  label: string
  /** The consequence, shown in the confirmation. */
  effect: string
  /** Requires the name to be typed. */
  danger: boolean
  /** The label of the state before the command. */
  state: string
  /** Sends the command. Returns the record as the API acknowledges it, and the label of its state. */
  send: () => Promise<{ record: object; state: string }>
}

/** Runs state commands. The API only acknowledges them; the page polls for the result. */
export function useStateCommand(): { pending: boolean; runStateCommand: (command: StateCommand) => Promise<void> } {
  const { id: connectionId } = useConnection()
  const [pending, setPending] = useState(false)
  const runStateCommand = useCallback(
    async (command: StateCommand) => {
      if (!(await isConfirmed(command))) return
      setPending(true)
      await execute(command)
      setPending(false)
      void invalidate(connectionId, command.resource)
    },
    [connectionId],
  )
  return { pending, runStateCommand }
}

const isConfirmed = ({ name, noun, label, effect, danger }: StateCommand) =>
  confirm({
    title: `${label} ${noun} ${name}?`,
    body: effect,
    action: `${label} ${noun}`,
    danger,
    ...(danger && { typed: name }),
  })

async function execute({ logKey, queryKey, name, label, state, send }: StateCommand): Promise<void> {
  try {
    const changed = await send()
    queryClient.setQueryData(queryKey, changed.record)
    logChange(logKey, label, [{ title: 'State', before: state, after: changed.state }])
    toast({ tone: 'ok', text: `${label} requested for ${name}. State: ${changed.state.toLowerCase()}.` })
  } catch (error) {
    toastFailure(error)
  }
}
