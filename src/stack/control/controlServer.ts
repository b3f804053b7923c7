/** Takes the orders of commands on this machine, such as `backup`: HTTP on the loopback interface (`protocol.ts`). */
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import type { Logger } from 'pino'
import { sameSecret } from '#node/secrets/sameSecret.ts'
import { makesBackups } from '../backups/engineBackups.ts'
import { backUpEngine, removeFullBackups } from '../backups/fullBackup.ts'
import type { Engine } from '../telemetry/engine/engine.ts'
import { EngineError } from '../telemetry/engine/engineError.ts'
import type { IndexBuilder } from '../telemetry/indexes/indexBuilder.ts'
import {
  engineBackupPath,
  indexesPath,
  indexOrder,
  removeControl,
  writeControl,
  type EngineBackupStep,
  type IndexReport,
} from './protocol.ts'

export interface ControlServer {
  close(): Promise<void>
}

interface ControlOptions {
  dataDir: string
  engine: Engine | null
  /** Absent where this stack builds none. */
  indexes?: IndexBuilder | undefined
  logger: Pick<Logger, 'warn' | 'error'>
}

/** A start is not stopped by a disk that cannot store `control.json`: only commands do not find this stack then. */
export async function startControl({ dataDir, engine, indexes, logger }: ControlOptions): Promise<ControlServer> {
  const token = randomBytes(32).toString('base64url')
  const closing = new AbortController()
  let backup: Promise<void> | undefined
  // Files that an earlier process was writing when it was killed.
  if (makesBackups(engine)) await removeFullBackups(engine)
  const server = createServer((request, response) => {
    if (!sameSecret(request.headers.authorization ?? '', `Bearer ${token}`)) return refuse(response, 401)
    if (request.method === 'POST' && request.url === indexesPath && indexes) {
      void sendIndexes(indexes, request, response).catch((error: unknown) => {
        logger.error({ err: error }, 'The state of the indexes could not be read')
        refuse(response, 500)
      })
      return
    }
    if (request.method !== 'POST' || request.url !== engineBackupPath) return refuse(response, 404)
    if (backup) return refuse(response, 409)
    backup = sendBackup(engine, response, closing.signal)
      .catch((error: unknown) => logger.error({ err: error }, 'The backup of the telemetry failed'))
      .finally(() => (backup = undefined))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo // it listens on a port
  try {
    writeControl(dataDir, { port, token })
  } catch (error) {
    logger.warn({ err: error }, 'Commands such as backup do not find this stack: control.json cannot be written')
  }
  return {
    async close() {
      closing.abort()
      removeControl(dataDir)
      server.closeAllConnections()
      server.close()
      await backup
    },
  }
}

async function sendIndexes(indexes: IndexBuilder, request: Readable, response: ServerResponse): Promise<void> {
  const { order } = indexOrder.parse(JSON.parse(await text(request)))
  if (order !== 'show') await indexes[order]()
  const report: IndexReport = await indexes.state()
  response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(report))
}

function refuse(response: ServerResponse, status: number): void {
  response.writeHead(status).end()
}

/** Makes a backup, and removes it once whoever asked has taken it away, which is when the connection ends. */
async function sendBackup(engine: Engine | null, response: ServerResponse, closing: AbortSignal): Promise<void> {
  const gone = new AbortController()
  response.once('close', () => gone.abort())
  const signal = AbortSignal.any([gone.signal, closing])
  const send = (step: EngineBackupStep) => response.write(`${JSON.stringify(step)}\n`)
  response.writeHead(200, { 'content-type': 'application/x-ndjson' })
  try {
    const { folder, databases, rows } = await backUpEngine(engine, signal, (progress) => send({ progress }))
    send({ done: { folder, databases, rows } })
    if (!signal.aborted) await once(signal, 'abort')
  } catch (error) {
    if (signal.aborted) return
    send({ failed: error instanceof EngineError ? error.message : 'The engine could not write the backup' })
    if (!(error instanceof EngineError)) throw error
  } finally {
    response.end()
    if (makesBackups(engine)) await removeFullBackups(engine)
  }
}
