/** Postgres pipes: checks and samples their source, and runs them (`postgresCycle.ts`). */
import { databaseMeta, type Discovery } from '#contract/cloud/pipes/pipeDiscovery.ts'
import type { TableMapping } from '#contract/cloud/pipes/pipeSources.ts'
import { Refusal, refuse } from '../../refusal.ts'
import { discoveryOf, previewRows } from '../loads/sourceSample.ts'
import { cursorsOf } from '../loads/pipeCursors.ts'
import type { PipeDocument } from '../model/pipeDocument.ts'
import { runPipe } from './postgresCycle.ts'
import { dropSlot } from './replicationMode.ts'
import { readCatalog } from './source/postgresCatalog.ts'
import { allowedAddresses, openPostgres, type PostgresServer } from './source/postgresServer.ts'
import { dropNewTables } from './reload.ts'
import { describeTable, jsonColumns, nameOf, sourceName, type SourceTable } from './source/postgresTables.ts'
import { engineTypeOf } from './source/postgresTypes.ts'
import type { Outcome, PipeRunner, Report, RunnerDependencies } from '../loads/pipeRunner.ts'

/** How long the cleanup on the server of a deleted pipe is retried. */
const forgetMs = 20_000

export function postgresRunner(parts: RunnerDependencies): PipeRunner {
  const { checkHost } = parts

  const mappingsOf = (pipe: PipeDocument) => pipe.source?.postgres?.tableMappings ?? []

  /** Works with the server of a pipe. @throws Refusal 400 with what the server says, or why it cannot be reached */
  async function withServer<T>(pipe: PipeDocument, work: (server: PostgresServer) => Promise<T>): Promise<T> {
    let server: PostgresServer | undefined
    try {
      server = await openPostgres(pipe, checkHost)
      return await work(server)
    } catch (error) {
      if (error instanceof Refusal || !(error instanceof Error) || error.name === 'AbortError') throw error
      throw refuse(`The source cannot be read: ${error.message}`)
    } finally {
      await server?.close()
    }
  }

  /** Checks the form. Whether the server can be reached, and has the tables, shows when the pipe runs. */
  async function check(pipe: PipeDocument): Promise<void> {
    refuseUnoffered(pipe)
    await allowedAddresses(pipe, checkHost)
  }

  async function existingTable(
    pipe: PipeDocument,
    mapping: TableMapping,
    server: PostgresServer,
  ): Promise<SourceTable> {
    const table = await describeTable(pipe, mapping, server)
    if (table) return table
    throw refuse(`source.postgres.tableMappings: table ${nameOf(mapping)} does not exist`)
  }

  async function run(
    pipe: PipeDocument,
    report: (report: Report) => Promise<void>,
    signal: AbortSignal,
  ): Promise<Outcome | null> {
    const server = await openPostgres(pipe, checkHost)
    try {
      return await runPipe(
        { parts, pipe, server, cursors: cursorsOf(pipe.id), pipeWord: parts.pipeWord, signal },
        report,
      )
    } finally {
      await server.close()
    }
  }

  async function forget(pipe: PipeDocument): Promise<void> {
    try {
      await withServer(pipe, (server) => dropSlot(pipe, server, AbortSignal.timeout(forgetMs)))
    } finally {
      await dropNewTables({ parts, cursors: cursorsOf(pipe.id) })
    }
  }

  /** A sample of the first table; without a table, those that there are. */
  const sample = (pipe: PipeDocument, signal: AbortSignal): Promise<Discovery> => {
    refuseUnoffered(pipe)
    return withServer(pipe, async (server) => {
      const [mapping] = mappingsOf(pipe)
      if (!mapping) return { fields: [], meta: databaseMeta(await readCatalog(server, signal)) }
      const { columns, ...table } = await existingTable(pipe, mapping, server)
      const found = await server.query<{ row: string }>(
        `SELECT row_to_json(x)::text AS row FROM (SELECT ${jsonColumns(columns, 't')} FROM ${sourceName(table)} t LIMIT ${previewRows}) x`,
        [],
        signal,
      )
      // `row_to_json` builds them.
      const rows = found.map(({ row }) => JSON.parse(row) as Record<string, unknown>)
      const described = columns.map((column) => ({ name: column.name, type: engineTypeOf(column) }))
      return discoveryOf(described, rows, rows.length)
    })
  }

  return { check, sample, run, forget }
}

/** @throws Refusal 400 for options that deployments have and this stack does not */
function refuseUnoffered(pipe: PipeDocument): void {
  const { authentication, tlsHost, caCertificate, settings } = pipe.source?.postgres ?? {}
  if (authentication === 'IAM_ROLE') {
    throw refuse('source.postgres.authentication: this stack cannot assume a role. Use basic, with credentials')
  }
  if (tlsHost) throw refuse('source.postgres.tlsHost: this stack does not verify certificates. Leave it out')
  if (caCertificate)
    throw refuse('source.postgres.caCertificate: this stack does not verify certificates. Leave it out')
  if (settings?.deleteOnMerge) {
    throw refuse(
      'source.postgres.settings.deleteOnMerge: this stack keeps deleted rows until they are replaced. Use false',
    )
  }
}
