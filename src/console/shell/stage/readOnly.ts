/** Refusing writes on a connection, and allowing them. */
import { setReadOnly } from '#console/api/gateway/setReadOnly.ts'
import type { Connection } from '#contract/console/connections.ts'
import { writesAllowedMinutes } from '#contract/console/stages.ts'
import { confirm } from '../messages/confirm.ts'
import { runWithToast } from '../messages/runWithToast.ts'

/** Allows writes after a confirmation: on production for some minutes, otherwise until they are locked again. */
export async function allowWrites(connection: Connection): Promise<void> {
  const { name, stage } = connection
  const forAWhile = stage === 'production'
  const sure = await confirm({
    title: `Allow writes on connection ${name}?`,
    body: forAWhile
      ? `All users of this console can change and delete its data for ${writesAllowedMinutes} minutes. Then it becomes read-only again.`
      : 'All users of this console can change and delete its data until it is made read-only again.',
    action: forAWhile ? `Allow writes for ${writesAllowedMinutes} minutes` : 'Allow writes',
    danger: forAWhile,
    connection,
  })
  if (sure) await runWithToast(() => setReadOnly(connection.id, false), `Writes on ${name} allowed`)
}

/** Locks writes immediately. */
export async function makeReadOnly(connection: Connection): Promise<void> {
  await runWithToast(() => setReadOnly(connection.id, true), `Connection ${connection.name} made read-only`)
}
