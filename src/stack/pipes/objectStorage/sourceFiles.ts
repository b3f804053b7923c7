/** Lists the files of an object-storage pipe, which of them are not loaded yet, and how long those wait. */
import { realpath } from 'node:fs/promises'
import { posix, sep } from 'node:path'
import type { Store } from '../../store/store.ts'
import type { Engine } from '../../telemetry/engine/engine.ts'
import { isBelow, type Location } from './fileLocation.ts'
import { currentTime } from '#node/clock/wallClock.ts'
import type { UsageMeter } from '../model/pipeUsage.ts'

export interface SourceFile {
  path: string
  /** Null if the source does not report it. */
  bytes: number | null
}

interface ListedFile {
  path: string
  size: string | null
  /** Seconds since the last change, if the source reports it. */
  age: string | null
}

/** A local file that was changed more recently may be incomplete. */
const settledSeconds = 2

/**
 * The engine's limits for reading sources. The pipe itself retries a source that fails, and reports it. Redirects are not
 * followed, because only the configured address was checked.
 */
export const sourceSettings =
  'http_max_tries = 2, http_retry_initial_backoff_ms = 50, http_retry_max_backoff_ms = 200, s3_retry_attempts = 2, ' +
  'max_http_get_redirects = 0, s3_max_redirects = 0'

/** All matching files, sorted by name. Files of an address with braces may be missing: see `withoutMissing`. */
export async function listFiles(
  location: Location,
  fileRoots: readonly string[],
  engine: Pick<Engine, 'query'>,
  options: { onlySettled: boolean; signal: AbortSignal },
): Promise<SourceFile[]> {
  const listed = await engine.query<ListedFile>(
    `SELECT _path AS path, any(_size) AS size, any(dateDiff('second', _time, now())) AS age
     FROM ${location.call}, 'One') GROUP BY path ORDER BY path SETTINGS ${sourceSettings}`,
    { params: location.params, signal: options.signal, maxSeconds: 300 },
  )
  const found: SourceFile[] = []
  for (const { path, size, age } of listed) {
    if (location.isLocal) {
      if (options.onlySettled && age !== null && Number(age) < settledSeconds) continue
      if (!(await isBelow(path, fileRoots).catch(() => false))) continue
    }
    found.push({ path, bytes: size === null ? null : Number(size) })
  }
  return found
}

/** Whether the engine can read something of one of these files. It skips those that the server does not know (404). */
export async function canRead(
  location: Location,
  paths: readonly string[],
  engine: Pick<Engine, 'query'>,
  signal: AbortSignal,
): Promise<boolean> {
  const rows = await engine.query(
    `SELECT 1 FROM ${location.call}, 'LineAsString', 'line String', 'none')
     WHERE _path IN {paths:Array(String)} LIMIT 1 SETTINGS ${sourceSettings}`,
    { params: { ...location.params, paths }, signal, maxSeconds: 300 },
  )
  return rows.length > 0
}

/**
 * An address with braces stands for files that need not all be there. The engine lists all of them, without a size those
 * that are missing, those whose size the server does not tell, and those that it did not reach: they are told apart by
 * reading them. A single file without a size is there.
 * @throws EngineError if one cannot be reached
 */
export async function withoutMissing(
  location: Location,
  files: readonly SourceFile[],
  engine: Pick<Engine, 'query'>,
  signal: AbortSignal,
): Promise<SourceFile[]> {
  if (!/[{*]/.test(location.params['url'] ?? '')) return [...files]
  const paths = files.map((file) => file.path)
  // Usually all of them are missing: one statement tells.
  if (paths.length === 0 || !(await canRead(location, paths, engine, signal))) return []
  const found: SourceFile[] = []
  for (const file of files) if (await canRead(location, [file.path], engine, signal)) found.push(file)
  return found
}

/** The files after the key that the pipe starts after. */
export async function filesAfter(
  startAfter: string | null | undefined,
  files: readonly SourceFile[],
  location: Location,
  fileRoots: readonly string[],
): Promise<SourceFile[]> {
  if (startAfter == null) return [...files]
  const roots = await Promise.all(fileRoots.map((root) => realpath(root).catch(() => root)))
  return files.filter((file) => keyOf(file.path, location, roots) > startAfter)
}

/** The name by which files are sorted: below the root for local files, within the bucket for others. */
function keyOf(file: string, { isLocal, call }: Location, roots: readonly string[]): string {
  if (isLocal) {
    const root = roots.find((candidate) => file.startsWith(candidate + sep))
    return root === undefined ? file : file.slice(root.length + 1)
  }
  const absolute = file.replace(/^\/+/, '')
  return call.startsWith('s3(') ? absolute.slice(absolute.indexOf('/') + 1) : absolute
}

/**
 * Why the engine cannot read an object of a bucket; null if it can. It takes keys for paths, in which `a//b` and `a/./b` are `a/b`: it
 * would read another object, or none.
 */
export function keyProblem({ path }: SourceFile, { call }: Location): string | null {
  if (!call.startsWith('s3(')) return null
  const key = path.slice(path.indexOf('/') + 1)
  if (!key.startsWith('/') && posix.normalize(key) === key) return null
  return 'the engine cannot read a key with an empty part (//) or with a dot between slashes. Copy the object to another key'
}

/** The files that are not loaded and did not fail. */
export async function withoutKnown(store: Store, pipeId: string, files: readonly SourceFile[]): Promise<SourceFile[]> {
  const rows = await store.rows('SELECT path FROM pipe_files WHERE pipe_id = ?', [pipeId])
  const known = new Set(rows.map((row) => row['path']))
  return files.filter((file) => !known.has(file.path))
}

export async function failedFiles(store: Store, pipeId: string): Promise<{ count: number; first: string }> {
  const rows = await store.rows(
    'SELECT path, error FROM pipe_files WHERE pipe_id = ? AND error IS NOT NULL ORDER BY path LIMIT 1',
    [pipeId],
  )
  const [total] = await store.rows('SELECT count(*) AS total FROM pipe_files WHERE pipe_id = ? AND error IS NOT NULL', [
    pipeId,
  ])
  const [row] = rows
  return { count: Number(total?.['total'] ?? 0), first: row ? `${fileName(String(row['path']))}: ${row['error']}` : '' }
}

function fileName(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1)
}

/** The limits of one load. */
export interface BatchLimits {
  files: number
  bytes: number
}

/** The next files for one load: as many as the limits allow, at least one. */
export function nextBatch(files: readonly SourceFile[], limits: BatchLimits): SourceFile[] {
  let bytes = 0
  const end = files.findIndex((file, at) => {
    bytes += file.bytes ?? 0
    return at > 0 && (at >= limits.files || bytes > limits.bytes)
  })
  return end < 0 ? [...files] : files.slice(0, end)
}

export interface WaitingFiles {
  /** These files are listed and not loaded. */
  seen(files: readonly SourceFile[]): void
  /** These files are loaded or have failed. */
  settled(files: readonly SourceFile[]): void
  /** The run has ended. */
  end(): void
}

/** Reports the waiting times of one run of a pipe to the meter. */
export function waitingFiles(meter: UsageMeter, pipeId: string, now: () => number = currentTime): WaitingFiles {
  const since = new Map<string, number>()
  // In the order of listing: the first file has waited longest.
  const report = () => meter.waiting(pipeId, since.values().next().value ?? null)
  return {
    seen(files) {
      for (const { path } of files) if (!since.has(path)) since.set(path, now())
      report()
    },
    settled(files) {
      const waited = files.flatMap(({ path }) => {
        const at = since.get(path)
        since.delete(path)
        return at === undefined ? [] : [now() - at]
      })
      if (waited.length > 0) meter.loaded(pipeId, waited.reduce((sum, ms) => sum + ms, 0) / waited.length)
      report()
    },
    end() {
      meter.waiting(pipeId, null)
    },
  }
}
