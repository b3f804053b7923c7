/** The saved statements of a connection: reading, saving, changing and deleting them. */
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { z } from 'zod'
import { pathId } from '#contract/wire/kernel.ts'
import {
  readVersion,
  savedStatementInput,
  savedStatementParams,
  savedStatementPaths,
} from '#contract/console/savedStatements.ts'
import type { Connections } from '../connections/connections.ts'
import { actorOf, parsed, routePath } from '../http/requests.ts'
import type { SavedStatements } from './savedStatements.ts'

const params = z.object({ connectionId: pathId })
/** Bytes of a statement with its name. */
const maxBody = 100_000

export function registerSavedStatements(
  app: FastifyInstance,
  { statements, connections }: { statements: SavedStatements; connections: Connections },
): void {
  app.get(routePath(savedStatementPaths.statements), (request) => {
    const { connectionId } = parsed(params, request.params, 'The connection ID')
    return statements.of(connectionId)
  })
  app.post(routePath(savedStatementPaths.statements), { bodyLimit: maxBody }, (request) => {
    const { connectionId } = parsed(params, request.params, 'The connection ID')
    const input = parsed(savedStatementInput, request.body, 'The statement')
    // Says that a connection does not exist.
    connections.open(connectionId)
    request.auditAbout = { connectionId, subject: input.name }
    return statements.add(connectionId, input, actorOf(request))
  })
  app.put(routePath(savedStatementPaths.statement), { bodyLimit: maxBody }, (request) => {
    const place = parsed(savedStatementParams, request.params, 'The ID of the statement')
    const { version } = parsed(readVersion, request.query, 'The version')
    const input = parsed(savedStatementInput, request.body, 'The statement')
    request.auditAbout = { connectionId: place.connectionId, subject: input.name }
    return statements.change(place, input, version, actorOf(request))
  })
  app.delete(routePath(savedStatementPaths.statement), (request) => removeStatement(statements, request))
  app.post(routePath(savedStatementPaths.uses), (request) => noteUse(statements, request))
}

async function removeStatement(statements: SavedStatements, request: FastifyRequest) {
  const place = parsed(savedStatementParams, request.params, 'The ID of the statement')
  const { version } = parsed(readVersion, request.query, 'The version')
  const subject = await statements.remove(place, version)
  request.auditAbout = { connectionId: place.connectionId, subject }
  return {}
}

async function noteUse(statements: SavedStatements, request: FastifyRequest) {
  await statements.noteUse(parsed(savedStatementParams, request.params, 'The ID of the statement'))
  return {}
}
