/** The API of the records of a connection as files. Imports are runs: `runs/fileImports.ts`. */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { z } from 'zod'
import { recordFilePaths } from '#contract/console/environmentPaths.ts'
import { pathId } from '#contract/wire/kernel.ts'
import { exportedKindsHeader } from '#contract/console/recordFiles.ts'
import type { Deployments } from '#node/upstream/deployments.ts'
import type { Connections } from '../connections/connections.ts'
import { disconnectSignal, parsed } from '../http/requests.ts'
import { exportRecords } from './recordExport.ts'

interface RouteDependencies {
  connections: Connections
  deployments: Deployments
}

const params = z.object({ connectionId: pathId })

export function registerRecordFiles(app: FastifyInstance, parts: RouteDependencies): void {
  app.get(recordFilePaths.export.replace('{connectionId}', ':connectionId'), (request, reply) =>
    sendExport(parts, request, reply),
  )
}

async function sendExport(
  { connections, deployments }: RouteDependencies,
  request: FastifyRequest,
  reply: FastifyReply,
) {
  const { connectionId } = parsed(params, request.params, 'The connection ID')
  const target = connections.open(connectionId)
  const name = connections.list().find(({ id }) => id === connectionId)?.name ?? connectionId
  const { zip, kinds } = await exportRecords(deployments, target, name, disconnectSignal(reply))
  return reply
    .type('application/zip')
    .header('content-disposition', 'attachment')
    .header(exportedKindsHeader, encodeURIComponent(JSON.stringify(kinds)))
    .send(zip)
}
