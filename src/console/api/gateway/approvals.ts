/** Two-person approval of a connection, who is told about it, and break-glass. */
import { queryOptions } from '@tanstack/react-query'
import type {
  ApprovalSettings,
  ApprovalSettingsChange,
  BreakGlassStart,
  NotificationTest,
} from '#contract/console/approvals.ts'
import { approvalPaths } from '#contract/console/changeRequestPaths.ts'
import { fillPath } from '#contract/wire/kernel.ts'
import { connectionsQuery } from '../connections.ts'
import { queryClient } from '../queryClient.ts'
import { send } from '../send.ts'

const pathOf = (path: string, connectionId: string) => fillPath(path, { connectionId })

export const approvalSettingsQuery = (connectionId: string) =>
  queryOptions({
    queryKey: ['approval', connectionId],
    queryFn: ({ signal }) => send<ApprovalSettings>(pathOf(approvalPaths.approvalSettings, connectionId), { signal }),
  })

/** @throws ApiFailure `sentForApproval` where a second administrator must agree */
export async function setApprovalSettings(connectionId: string, change: ApprovalSettingsChange): Promise<void> {
  const path = pathOf(approvalPaths.approvalSettings, connectionId)
  const settings = await send<ApprovalSettings>(path, { method: 'PUT', body: change })
  queryClient.setQueryData(approvalSettingsQuery(connectionId).queryKey, settings)
  await queryClient.invalidateQueries(connectionsQuery)
}

export const testNotification = (connectionId: string) =>
  send<NotificationTest>(pathOf(approvalPaths.approvalTest, connectionId), { method: 'POST', mutates: false })

export async function startBreakGlass(connectionId: string, input: BreakGlassStart): Promise<void> {
  await send(pathOf(approvalPaths.breakGlass, connectionId), { method: 'POST', body: input })
  await queryClient.invalidateQueries(connectionsQuery)
}

export async function endBreakGlass(connectionId: string): Promise<void> {
  await send(pathOf(approvalPaths.breakGlass, connectionId), { method: 'DELETE' })
  await queryClient.invalidateQueries(connectionsQuery)
}
