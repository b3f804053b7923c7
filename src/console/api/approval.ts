/**
 * Changes of a connection with two-person approval: before one is sent, somebody says what it is for; what is sent becomes a change
 * request. The shell shows the dialog and the result.
 */
import { changeRequestHeader } from '#contract/console/changeRequestPaths.ts'
import type { ChangeRequestDraft } from '#contract/console/changeRequests.ts'
import type { HeldChange } from '#contract/wire/kernel.ts'
import { connectionsQuery } from './connections.ts'
import { ApiFailure } from './failure.ts'
import { queryClient } from './queryClient.ts'

interface Host {
  /** Asks what a change is for. Null if somebody thinks better of it. */
  ask: (connectionId: string) => Promise<ChangeRequestDraft | null>
  /** Says that a change waits for approval. */
  show: (held: HeldChange) => void
}

let host: Host | undefined

/** The changes of a bulk edit go to one request. By connection: the request that the first of them opened. */
let bulk: Map<string, string> | null = null

/** Called once by the shell. */
export function hostApprovals(newHost: Host): void {
  host = newHost
}

/** The headers of a request for approval; none where no approval is needed. @throws ApiFailure if it is cancelled */
export async function approvalHeaders(connectionIds: readonly string[]): Promise<Record<string, string>> {
  const connections = queryClient.getQueryData(connectionsQuery.queryKey) ?? []
  const held = connections.find(
    ({ id, twoPersonApproval, breakGlass }) => connectionIds.includes(id) && twoPersonApproval && !breakGlass?.isMine,
  )
  if (!held || !host) return {}
  const joined = bulk?.get(held.id)
  const draft = joined === undefined ? await host.ask(held.id) : { addTo: joined }
  if (draft === null) {
    throw new ApiFailure({ code: 'blocked', status: 0, message: 'It was not sent for approval: you cancelled.' })
  }
  return { [changeRequestHeader]: encodeURIComponent(JSON.stringify(draft)) }
}

/** A change became a change request. */
export function noteHeld(held: HeldChange, connectionId?: string): void {
  void queryClient.invalidateQueries({ queryKey: ['changeRequests'] })
  const isFirst = connectionId === undefined || bulk?.get(connectionId) !== held.id
  if (bulk && connectionId !== undefined) bulk.set(connectionId, held.id)
  if (isFirst) host?.show(held)
}

/** Whether it is no fault: the change waits for approval. */
export const isHeld = (failure: { code: string }) => failure.code === 'sentForApproval'

/** Runs a task. Those of its changes that need approval become one change request, and people see one message about it. */
export async function inOneChangeRequest<T>(task: () => Promise<T>): Promise<T> {
  bulk = new Map()
  try {
    return await task()
  } finally {
    bulk = null
  }
}
