import type { Connection } from '#contract/console/connections.ts'
import { gatewayPaths } from '#contract/wire/gatewayWire.ts'
import { connectionsQuery } from '../connections.ts'
import { queryClient } from '../queryClient.ts'
import { send } from '../send.ts'

/** Whether the gateway refuses writes; on production `false` allows them for a while. */
export async function setReadOnly(connectionId: string, readOnly: boolean): Promise<void> {
  const path = gatewayPaths.connectionReadOnly.replace('{connectionId}', encodeURIComponent(connectionId))
  await send<Connection>(path, { method: 'PUT', body: { readOnly } })
  await queryClient.invalidateQueries(connectionsQuery)
}
