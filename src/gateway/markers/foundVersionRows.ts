/** The stored rows of `foundDeployments.ts`: the versions that were found in telemetry, and the range that was looked at. */
import { z } from 'zod'
import type { Database, Statement } from '../database/database.ts'
import type { FoundVersion } from './versionSearch.ts'

/** The deployment that a connection leads to. */
export type DeploymentKey = readonly [connectionId: string, deployment: string]

export const versionRow = z.object({ service: z.string(), version: z.string(), first_at: z.string() })

/** When versions were first seen, epoch milliseconds, by service. */
export async function knownVersions(
  database: Database,
  [connectionId, deployment]: DeploymentKey,
): Promise<Map<string, Map<string, number>>> {
  const rows = await database.rows(
    'SELECT service, version, first_at FROM found_versions WHERE connection_id = ? AND deployment = ?',
    [connectionId, deployment],
  )
  const known = new Map<string, Map<string, number>>()
  for (const row of rows) {
    const { service, version, first_at } = versionRow.parse(row)
    known.set(service, (known.get(service) ?? new Map<string, number>()).set(version, Date.parse(first_at)))
  }
  return known
}

/** Keeps the row that is there. `isNew`: the service had another version before */
export function storeVersion(
  [connectionId, deployment]: DeploymentKey,
  { service, version }: FoundVersion,
  { at, isNew }: { at: number; isNew: boolean },
): Statement {
  return {
    sql: `INSERT INTO found_versions (connection_id, deployment, service, version, first_at, is_new)
      VALUES (?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING`,
    args: [connectionId, deployment, service, version, isoOf(at), isNew ? 1 : 0],
  }
}

/** Notes that a version which is too old to be shown is still there: it is not new from then on. */
export function noteLaterSight(
  [connectionId, deployment]: DeploymentKey,
  { service, version, until }: FoundVersion,
): Statement {
  return {
    sql: `UPDATE found_versions SET first_at = ?, is_new = 0
      WHERE connection_id = ? AND deployment = ? AND service = ? AND version = ?`,
    args: [isoOf(until), connectionId, deployment, service, version],
  }
}

/** Deletes the versions first seen before a time, except the newest of each service, which tells that the service is known. */
export function forgetOlder([connectionId, deployment]: DeploymentKey, oldest: number): Statement {
  return {
    sql: `DELETE FROM found_versions AS old WHERE connection_id = ? AND deployment = ? AND first_at < ?
      AND EXISTS (SELECT 1 FROM found_versions AS newer
        WHERE newer.connection_id = old.connection_id AND newer.deployment = old.deployment AND newer.service = old.service
          AND (newer.first_at > old.first_at OR (newer.first_at = old.first_at AND newer.version > old.version)))`,
    args: [connectionId, deployment, isoOf(oldest)],
  }
}

export function forgetAll([connectionId, deployment]: DeploymentKey): Statement {
  return {
    sql: 'DELETE FROM found_versions WHERE connection_id = ? AND deployment = ?',
    args: [connectionId, deployment],
  }
}

/** Extends the range that was looked at, or replaces it by one that was looked at as a whole. */
export function noteLook(
  [connectionId, deployment]: DeploymentKey,
  { from, to, isWhole }: { from: number; to: number; isWhole: boolean },
): Statement {
  const start = isWhole
    ? 'excluded.from_at'
    : 'CASE WHEN excluded.from_at < version_searches.from_at THEN excluded.from_at ELSE version_searches.from_at END'
  return {
    sql: `INSERT INTO version_searches (connection_id, deployment, from_at, to_at) VALUES (?, ?, ?, ?)
      ON CONFLICT (connection_id, deployment) DO UPDATE SET from_at = ${start}, to_at = excluded.to_at`,
    args: [connectionId, deployment, isoOf(from), isoOf(to)],
  }
}

export const isoOf = (at: number): string => new Date(at).toISOString()
