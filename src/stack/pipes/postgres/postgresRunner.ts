/**
 * Runs Postgres pipes: copies the mapped tables, then applies changes every `syncIntervalSeconds`. Changes are found by
 * logical replication, or else by polling for rows with higher keys, which only finds new rows. The state detail of a
 * pipe shows which, for each table, and why.
 */
import type { Discovery } from '#contract/pipeDiscovery.ts'
import type { TableMapping } from '#contract/pipeSources.ts'
import { Refusal, refuse } from '../../refusal.ts'
import { discoveryOf, previewRows } from '../loads/sourceSample.ts'
import { forEachConcurrently } from './concurrency.ts'
import { cursorsOf } from '../loads/pipeCursors.ts'
import { abortableSleep } from '../loads/abortableSleep.ts'
import type { PipeDocument } from '../model/pipeDocument.ts'
import { copyRows, fetchNewRows, isCopied, markCopied, skipTable } from './postgresCopy.ts'
import { dropSlot, followChanges, replicationModeOf, type ReplicationMode } from './postgresReplication.ts'
import { postgresSettings, type PostgresRun } from './postgresRun.ts'
import { openPostgres, type PostgresServer } from './postgresServer.ts'
import {
  definitionFor,
  describeTable,
  jsonColumns,
  sourceName,
  takesVersions,
  type SourceTable,
} from './postgresTables.ts'
import { engineTypeOf } from './postgresTypes.ts'
import { resyncPipe } from './resync.ts'
import type { Outcome, PipeRunner, Report, RunnerParts } from '../loads/pipeRunner.ts'
import { checkKey } from '../loads/tableChecks.ts'
import { ensureTable } from '../loads/destinationTable.ts'

/** How long the cleanup on the server of a deleted pipe is retried. */
const forgetMs = 20_000

export function postgresRunner(parts: RunnerParts): PipeRunner {
  const { store, engine, checkHost } = parts

  const mappingsOf = (pipe: PipeDocument) => pipe.source?.postgres?.tableMappings ?? []

  /** Works with the server of a pipe. @throws Refusal 400 with what the server says, or why it cannot be reached */
  async function withServer<T>(pipe: PipeDocument, work: (server: PostgresServer) => Promise<T>): Promise<T> {
    const server = await openPostgres(pipe, checkHost)
    try {
      return await work(server)
    } catch (error) {
      if (error instanceof Refusal || !(error instanceof Error) || error.name === 'AbortError') throw error
      throw refuse(`failed to establish connection: ${error.message}`)
    } finally {
      await server.close()
    }
  }

  const check = (pipe: PipeDocument) => {
    refuseUnoffered(pipe)
    return withServer(pipe, async (server) => {
      for (const mapping of mappingsOf(pipe)) await checkMapping(pipe, mapping, server)
    })
  }

  async function checkMapping(pipe: PipeDocument, mapping: TableMapping, server: PostgresServer): Promise<void> {
    const table = await existingTable(pipe, mapping, server)
    const known = new Set(table.columns.map((column) => column.name))
    const missing = mapping.sortingKeys?.find((name) => !known.has(name))
    if (missing) throw refuse(`source.postgres.tableMappings: ${table.name} has no column ${missing}`)
    if (known.size === 0) throw refuse(`source.postgres.tableMappings: all columns of ${table.name} are excluded`)
    const { columns, partitionBy } = definitionFor(pipe, table)
    const field = `source.postgres.tableMappings: partitionByExpr of ${table.name}`
    if (partitionBy) await checkKey(field, partitionBy, columns, engine)
  }

  async function existingTable(
    pipe: PipeDocument,
    mapping: TableMapping,
    server: PostgresServer,
  ): Promise<SourceTable> {
    const table = await describeTable(pipe, mapping, server)
    if (table) return table
    const name = `${mapping.sourceSchemaName}.${mapping.sourceTable}`
    throw refuse(`source.postgres.tableMappings: table ${name} does not exist`)
  }

  async function run(
    pipe: PipeDocument,
    report: (report: Report) => Promise<void>,
    signal: AbortSignal,
  ): Promise<Outcome | null> {
    const server = await openPostgres(pipe, checkHost)
    try {
      return await runOn({ parts, pipe, server, cursors: cursorsOf(pipe.id), pipeWord: parts.pipeWord, signal }, report)
    } finally {
      await server.close()
    }
  }

  async function runOn(run: PostgresRun, report: (report: Report) => Promise<void>): Promise<Outcome | null> {
    const { pipe, server, signal } = run
    if (pipe.internal.resync) {
      await dropSlot(pipe, server, signal)
      await resyncPipe(store, engine, pipe)
    }
    const tables = await Promise.all(mappingsOf(pipe).map((mapping) => existingTable(pipe, mapping, server)))
    for (const table of tables) await ensureTable(table.target, definitionFor(pipe, table), engine)
    const { replicationMode = 'cdc', syncIntervalSeconds, snapshotNumberOfParallelTables } = postgresSettings(pipe)
    // Before the initial load, so that changes during it are in the server's log.
    const mode: ReplicationMode =
      replicationMode === 'snapshot' ? { slot: null, reason: '' } : await replicationModeOf(run)
    await forEachConcurrently(snapshotNumberOfParallelTables ?? 1, tables, async (table) => {
      if (await isCopied(run, table)) return
      if (replicationMode === 'cdc_only') return skipTable(run, table)
      await report({ state: 'Snapshot', detail: `copying ${table.name}` })
      const progress = (done: number, all: number) =>
        report({ state: 'Snapshot', detail: `copying ${table.name}: ${done} of ${all} parts` })
      await copyRows(run, table, { target: table.target, progress })
      await store.write((transaction) => markCopied(run, table, transaction))
    })
    if (replicationMode === 'snapshot') {
      return { state: 'Completed', detail: `${counted(tables)} copied once, as its replication mode says` }
    }
    const followed = await followedTables(run, mode, tables)
    const polled = tables.filter((table) => !followed.includes(table) && table.growingKey !== null)
    const seconds = syncIntervalSeconds ?? 60
    const detail = modeDetail(mode, { followed, polled, tables }, seconds)
    try {
      for (;;) {
        await report({ state: 'Running', detail })
        if (mode.slot !== null)
          await followChanges(
            run,
            mode.slot,
            new Map(followed.map((table) => [table.name, table])),
            async () => undefined,
          )
        for (const table of polled) if (table.growingKey) await fetchNewRows(run, table, table.growingKey)
        await abortableSleep(seconds * 1000, signal)
      }
    } finally {
      parts.meter.lag(pipe.id, null)
    }
  }

  async function followedTables(
    { parts: { engine } }: PostgresRun,
    mode: ReplicationMode,
    tables: readonly SourceTable[],
  ): Promise<SourceTable[]> {
    if (mode.slot === null) return []
    const fit = await Promise.all(tables.map(async (table) => table.isLogged && (await takesVersions(table, engine))))
    return tables.filter((_, at) => fit[at])
  }

  const forget = (pipe: PipeDocument) =>
    withServer(pipe, (server) => dropSlot(pipe, server, AbortSignal.timeout(forgetMs)))

  /** A sample of the first table. */
  const sample = (pipe: PipeDocument, signal: AbortSignal): Promise<Discovery> => {
    refuseUnoffered(pipe)
    return withServer(pipe, async (server) => {
      const [mapping] = mappingsOf(pipe)
      if (!mapping) throw refuse('source.postgres.tableMappings: there is no table')
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

interface Sorted {
  followed: readonly SourceTable[]
  polled: readonly SourceTable[]
  tables: readonly SourceTable[]
}

function modeDetail(mode: ReplicationMode, { followed, polled, tables }: Sorted, seconds: number): string {
  const once = tables.filter((table) => !followed.includes(table) && !polled.includes(table)).map((table) => table.name)
  const why = mode.slot === null ? `: no logical replication, ${mode.reason}` : ', whose changes are not logged by key'
  const sentences = [
    ...(followed.length > 0
      ? [`logical replication of ${counted(followed)} every ${seconds} s, from slot ${mode.slot}`]
      : []),
    ...(polled.length > 0
      ? [
          `polling ${counted(polled)} for new rows every ${seconds} s by ${polled.length === 1 ? 'its' : 'their'} key; changed and deleted rows are not followed${why}`,
        ]
      : []),
    ...(once.length > 0 ? [`copied once, having no key that could be followed: ${once.join(', ')}`] : []),
  ]
  return sentences.join('. ')
}

function counted(tables: readonly SourceTable[]): string {
  return tables.length === 1 ? (tables[0]?.name ?? '') : `${tables.length} tables`
}
